// CreateTags, DeleteTags and DescribeTags.
import type {
  CreateTagsRequest,
  DeleteTagsRequest,
  DescribeTagsRequest,
  DescribeTagsResult,
} from "@aws-sdk/client-ec2";
import { endDryRun } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { findInstances } from "./instance-states.ts";
import { findSubnet } from "./network.ts";
import { cutPage } from "./paging.ts";
import { checkTagCount, checkTags, resourceTypeOf } from "./tags.ts";
import { findTemplate } from "./templates.ts";
import type { World } from "./world.ts";

/** All or nothing: an unknown resource or a tag that breaks a rule leaves every resource as it was. */
export function createTags(world: World, input: CreateTagsRequest): Record<string, never> {
  const ids = input.Resources ?? [];
  const tags = input.Tags ?? [];
  if (tags.length === 0) throw new Ec2Error("MissingParameter", "The request must contain the parameter Tag");
  checkTags(tags);
  for (const id of ids) {
    refuseUnknown(world, id);
    checkTagCount([...[...world.tags.of(id).keys()].map((Key) => ({ Key })), ...tags]);
  }
  endDryRun(input.DryRun);
  for (const id of ids) world.tags.put(id, tags);
  return {};
}

export function deleteTags(world: World, input: DeleteTagsRequest): Record<string, never> {
  for (const id of input.Resources ?? []) refuseUnknown(world, id);
  endDryRun(input.DryRun);
  for (const id of input.Resources ?? []) world.tags.delete(id, input.Tags);
  return {};
}

function refuseUnknown(world: World, id: string): void {
  const type = resourceTypeOf(id);
  if (type === "instance") findInstances(world, [id]);
  else if (type === "subnet") findSubnet(world.network, id);
  else if (type === "launch-template") findTemplate(world, { LaunchTemplateId: id });
  else if (type === "security-group" && !world.network.groups.has(id)) {
    throw new Ec2Error("InvalidGroup.NotFound", `The security group '${id}' does not exist`);
  } else if (type === "image" && !world.images.has(id)) {
    throw new Ec2Error("InvalidAMIID.NotFound", `The image id '[${id}]' does not exist`);
  } else if (type === "unknown") {
    throw new Ec2Error("InvalidID", `The ID '${id}' is not valid`);
  }
}

interface TagOfResource {
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

const tagFilters: FilterTable<TagOfResource> = {
  "resource-id": (t) => [t.id],
  "resource-type": (t) => [resourceTypeOf(t.id)],
  key: (t) => [t.key],
  value: (t) => [t.value],
};

export function describeTags(world: World, input: DescribeTagsRequest): DescribeTagsResult {
  endDryRun(input.DryRun);
  const all = [...world.tags.all()].flatMap(([id, tags]) => [...tags].map(([key, value]) => ({ id, key, value })));
  const { byTag, rest } = splitFilters(input.Filters ?? []);
  const found = applyFilters(all, rest, tagFilters).filter((t) => byTag.every((test) => test(t)));
  const keyOf = (t: TagOfResource): string => `${t.id}\u0000${t.key}`;
  const sorted = [...found].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = cutPage(sorted, keyOf, input, { least: 5, most: 1000, byDefault: 1000 });
  return {
    Tags: page.items.map((t) => ({
      ResourceId: t.id,
      ResourceType: resourceTypeOf(t.id) as "instance",
      Key: t.key,
      Value: t.value,
    })),
    NextToken: page.NextToken,
  };
}

/** `tag:<key>` here means that key with one of the values, on the tag itself. */
function splitFilters(filters: NonNullable<DescribeTagsRequest["Filters"]>): {
  byTag: readonly ((t: TagOfResource) => boolean)[];
  rest: NonNullable<DescribeTagsRequest["Filters"]>;
} {
  const isTag = (name: string | undefined): boolean => name?.startsWith("tag:") === true;
  const byTag = filters
    .filter((f) => isTag(f.Name))
    .map((f) => (t: TagOfResource) => t.key === f.Name!.slice("tag:".length) && (f.Values ?? []).includes(t.value));
  return { byTag, rest: filters.filter((f) => !isTag(f.Name)) };
}
