// The same document gets the same verdict from our CRDs, from Karpenter's published ones, and from our own validation.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { schemaOf } from "../../shared/api/kinds/index.ts";
import { applyDefaults, causeReason, type Json, prune, validate } from "../../shared/api/schema/index.ts";
import { verdicts } from "../fixtures/api/verdicts.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import {
  collections,
  crdsIn,
  type Document,
  documentsIn,
  ourCrdFolder,
  ourExampleFolder,
  referenceCrdFolder,
  shared,
} from "./documents.ts";
import { send } from "./http.ts";
import { mutate, seededChance } from "./mutants.ts";

const noControlPlane = inject("noControlPlane");
const hasReference = existsSync(referenceCrdFolder);
/** What takes part, for the titles: a report should show when the published CRDs were not at hand. */
const judges = `our CRDs, our validation${hasReference ? " and Karpenter's CRDs" : " (skipped: ../shared/reference/crds is not there)"}`;

const published = [ourExampleFolder, ...["guide", "data/manifests", "data/examples"].map((name) => join(shared, name))]
  .flatMap(documentsIn)
  .filter(({ document }) => document.kind in collections);

/** What near misses are made from: published documents, and the literals of every kind. */
const sources = [
  ...published.map(({ document }) => document),
  ...verdicts
    .filter(({ verdict, old, subresource }) => verdict === "accepted" && (old ?? subresource) === undefined)
    .map(({ object }) => object as Document),
];

const mutantCount = 1_000;
const seed = 20_260_601;

interface Verdict {
  accepted: boolean;
  /** `<field>: <reason>` of everything that is wrong with the specification, sorted. */
  wrong: string[];
  /** The specification with its defaults, if accepted. */
  spec?: unknown;
}

async function askServer(plane: ControlPlane, document: Document): Promise<Verdict> {
  const path = `${collections[document.kind]}?dryRun=All`;
  const { status, body } = await send(plane, "POST", path, document);
  if (status === 201) return { accepted: true, wrong: [], spec: body.spec };
  if (status !== 422 && status !== 400) throw new Error(`${document.kind}: ${status} ${JSON.stringify(body)}`);
  const causes = (body.details?.causes ?? []) as { field: string; reason: string }[];
  return { accepted: false, wrong: wrongIn(causes.map((c) => `${c.field}: ${c.reason}`)) };
}

function askOurselves(document: Document): Verdict {
  const schema = schemaOf(document.apiVersion, document.kind);
  if (schema === undefined) throw new Error(`no schema for ${document.kind}`);
  const copy = structuredClone(document) as unknown as Json;
  prune(schema, copy);
  const whole = applyDefaults(schema, copy);
  const errors = validate(schema, whole);
  if (errors.length === 0) return { accepted: true, wrong: [], spec: (whole as { spec?: unknown }).spec };
  return {
    accepted: false,
    wrong: wrongIn(errors.map((e) => `${e.path === "" ? "<nil>" : e.path}: ${causeReason(e)}`)),
  };
}

/** Without what only an API server looks at: metadata, and (with a leading dot) what the scale subresource reads. */
function wrongIn(lines: string[]): string[] {
  return [...new Set(lines.filter((line) => !/^(metadata)?\./.test(line)))].sort();
}

describe.skipIf(noControlPlane !== undefined)(
  noControlPlane === undefined ? `verdicts of ${judges}` : `verdicts (skipped: ${noControlPlane})`,
  () => {
    let ours: ControlPlane;
    let theirs: ControlPlane | undefined;
    beforeAll(async () => {
      [ours, theirs] = await Promise.all([
        startWith(ourCrdFolder),
        hasReference ? startWith(referenceCrdFolder) : undefined,
      ]);
    });
    afterAll(() => Promise.all([ours?.stop(), theirs?.stop()]));

    const askAll = async (document: Document) => {
      const servers = [ours, ...(theirs === undefined ? [] : [theirs])];
      return Promise.all(servers.map((plane) => askServer(plane, document)));
    };

    it.each(published)("agree on $source", async ({ document }) => {
      const [our, their] = await askAll(document);
      if (their !== undefined) expect(our).toEqual(their);
      // Our validation leaves names to the API server.
      if (our!.accepted || our!.wrong.length > 0) expect(askOurselves(document)).toEqual(our);
    });

    it(`agree on ${mutantCount} near misses (seed ${seed})`, async () => {
      const chance = seededChance(seed);
      const differing: string[] = [];
      const count = { accepted: 0, refused: 0 };
      for (let i = 0; i < mutantCount; i++) {
        const document = sources[chance() % sources.length]!;
        const named = { ...document, metadata: { ...document.metadata, name: `mutant-${i}` } };
        const mutant = mutate(named as unknown as Parameters<typeof mutate>[0], chance) as unknown as Document;
        const [our, ...others] = [...(await askAll(mutant)), askOurselves(mutant)];
        count[our!.accepted ? "accepted" : "refused"]++;
        if (others.every((other) => isDeepStrictEqual(our, other))) continue;
        differing.push([mutant, our, ...others].map((part) => JSON.stringify(part)).join("\n  "));
      }
      expect(differing).toEqual([]);
      expect(Math.min(count.accepted, count.refused)).toBeGreaterThan(mutantCount / 10);
    });
  },
);

async function startWith(crdFolder: string): Promise<ControlPlane> {
  const plane = await startControlPlane();
  await installCrds(plane, crdsIn(crdFolder));
  return plane;
}
