// Tags of every resource by its id, and the rules for them.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions
import type { Tag, TagSpecification } from "@aws-sdk/client-ec2";
import { Ec2Error } from "./ec2-error.ts";

const mostTagsOfAResource = 50;
const longestKey = 128;
const longestValue = 256;

const typeByPrefix: Readonly<Record<string, string>> = {
  cr: "capacity-reservation",
  i: "instance",
  lt: "launch-template",
  subnet: "subnet",
  sg: "security-group",
  fleet: "fleet",
  ami: "image",
  vpc: "vpc",
  sir: "spot-instances-request",
};

/** The resource type that an id's prefix stands for, as DescribeTags names it. */
export function resourceTypeOf(id: string): string {
  return typeByPrefix[id.split("-")[0] ?? ""] ?? "unknown";
}

export interface Tags {
  of(id: string): ReadonlyMap<string, string>;
  /** Adds and overwrites. Throws before anything changes if a tag breaks a rule. */
  put(id: string, tags: readonly Tag[]): void;
  /** Adds what EC2 itself sets, keys that begin with `aws:` included. */
  putOwn(id: string, tags: Readonly<Record<string, string>>): void;
  delete(id: string, tags: readonly Tag[] | undefined): void;
  drop(id: string): void;
  all(): ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const none: ReadonlyMap<string, string> = new Map();

export function createTags(): Tags {
  const byId = new Map<string, Map<string, string>>();
  const ensure = (id: string): Map<string, string> => {
    let tags = byId.get(id);
    if (tags === undefined) {
      tags = new Map();
      byId.set(id, tags);
    }
    return tags;
  };
  return {
    of: (id) => byId.get(id) ?? none,
    put(id, tags) {
      checkTags(tags);
      const present = ensure(id);
      checkTagCount([...[...present.keys()].map((Key) => ({ Key })), ...tags]);
      for (const tag of tags) present.set(tag.Key!, tag.Value ?? "");
    },
    putOwn(id, tags) {
      for (const [key, value] of Object.entries(tags)) ensure(id).set(key, value);
    },
    delete(id, tags) {
      const present = byId.get(id);
      if (present === undefined) return;
      const chosen = tags ?? [...present.keys()].filter((key) => !key.startsWith("aws:")).map((Key) => ({ Key }));
      for (const tag of chosen as readonly Tag[]) {
        if (tag.Value === undefined || present.get(tag.Key!) === tag.Value) present.delete(tag.Key!);
      }
    },
    drop: (id) => void byId.delete(id),
    all: () => byId,
  };
}

/** Throws InvalidParameterValue for a tag that EC2 would refuse. */
export function checkTags(tags: readonly Tag[]): void {
  for (const { Key = "", Value = "" } of tags) {
    if (Key === "") throw new Ec2Error("MissingParameter", "Tag keys must not be empty.");
    if (/^aws:/i.test(Key)) {
      throw new Ec2Error(
        "InvalidParameterValue",
        `Value ( ${Key} ) for parameter key is invalid. Tag keys starting with 'aws:' are reserved for internal use`,
      );
    }
    if (Key.length > longestKey || Value.length > longestValue) {
      throw new Ec2Error(
        "InvalidParameterValue",
        `The tag ${Key} is too long: a key has at most ${longestKey} characters, a value ${longestValue}`,
      );
    }
  }
  const keys = tags.map((tag) => tag.Key);
  if (new Set(keys).size !== keys.length) {
    throw new Ec2Error("InvalidParameterValue", "Duplicate tag keys are not allowed in one request");
  }
}

/** Throws TagLimitExceeded if the tags, duplicates counted once and EC2's own not at all, are too many for one resource. */
export function checkTagCount(tags: readonly Tag[]): void {
  const own = new Set(tags.map((tag) => tag.Key!).filter((key) => !key.startsWith("aws:")));
  if (own.size > mostTagsOfAResource) {
    throw new Ec2Error("TagLimitExceeded", `A resource may have at most ${mostTagsOfAResource} tags, not ${own.size}`);
  }
}

/** The tags that the specifications give to a resource type. Throws for a tag that breaks a rule. */
export function tagsFor(
  specifications: readonly Pick<TagSpecification, "ResourceType" | "Tags">[] | undefined,
  type: string,
): readonly Tag[] {
  const tags = (specifications ?? []).filter((s) => s.ResourceType === type).flatMap((s) => s.Tags ?? []);
  checkTags(tags);
  return tags;
}

/** As the answers carry them, sorted by key. */
export function tagList(tags: ReadonlyMap<string, string>): Tag[] {
  return [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([Key, Value]) => ({ Key, Value }));
}
