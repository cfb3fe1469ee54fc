// The same document gets the same verdict from our CRDs, from Karpenter's published ones, and from our own validation.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { schemaOf } from "../../shared/api/kinds/index.ts";
import { applyDefaults, causeReason, type Json, prune, validate } from "../../shared/api/schema/index.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import {
  collections,
  crdsIn,
  type Document,
  documentsIn,
  ourCrdFolder,
  referenceCrdFolder,
  shared,
} from "./documents.ts";
import { send } from "./http.ts";
import { mutate, seededChance } from "./mutants.ts";

const noControlPlane = inject("noControlPlane");
const noReference = existsSync(referenceCrdFolder) ? undefined : "../shared/reference/crds is not there";
const reason = noControlPlane ?? noReference;

const published = ["guide", "data/manifests", "data/examples"]
  .flatMap((folder) => documentsIn(join(shared, folder)))
  .filter(({ document }) => document.kind in collections);

const mutantCount = 600;
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

describe.skipIf(reason !== undefined)(
  `verdicts of our CRDs and of Karpenter's${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    let ours: ControlPlane;
    let theirs: ControlPlane;
    beforeAll(async () => {
      [ours, theirs] = await Promise.all([startControlPlane(), startControlPlane()]);
      await Promise.all([installCrds(ours, crdsIn(ourCrdFolder)), installCrds(theirs, crdsIn(referenceCrdFolder))]);
    });
    afterAll(() => Promise.all([ours?.stop(), theirs?.stop()]));

    it.each(published)("agree on $source", async ({ document }) => {
      const [our, their] = await Promise.all([askServer(ours, document), askServer(theirs, document)]);
      expect(our).toEqual(their);
      // Our validation leaves names to the API server.
      if (our.accepted || our.wrong.length > 0) expect(askOurselves(document)).toEqual(our);
    });

    it(`agree on ${mutantCount} near misses (seed ${seed})`, async () => {
      const chance = seededChance(seed);
      const differing: string[] = [];
      const verdicts = { accepted: 0, refused: 0 };
      for (let i = 0; i < mutantCount; i++) {
        const { document } = published[chance() % published.length]!;
        const named = { ...document, metadata: { ...document.metadata, name: `mutant-${i}` } };
        const mutant = mutate(named as unknown as Parameters<typeof mutate>[0], chance) as unknown as Document;
        const [our, their] = await Promise.all([askServer(ours, mutant), askServer(theirs, mutant)]);
        const own = askOurselves(mutant);
        verdicts[our.accepted ? "accepted" : "refused"]++;
        if (isDeepStrictEqual(our, their) && isDeepStrictEqual(our, own)) continue;
        differing.push([mutant, our, their, own].map((part) => JSON.stringify(part)).join("\n  "));
      }
      expect(differing).toEqual([]);
      expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(mutantCount / 10);
    });
  },
);
