// The literal verdicts that our own engine is held to (test/fixtures/api), asked of a real API server: with our CRDs, and
// with Karpenter's where they are at hand.
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Verdict, verdicts } from "../fixtures/api/verdicts.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { installCrds } from "./crds.ts";
import { collections, crdsIn, type Document, ourCrdFolder, referenceCrdFolder } from "./documents.ts";
import { type Answer, send } from "./http.ts";

const noControlPlane = inject("noControlPlane");
const noReference = existsSync(referenceCrdFolder) ? undefined : "../shared/reference/crds is not there";

/** Objects made for an update are removed again, so that the next verdict finds the name free. */
async function ask(plane: ControlPlane, { object, old, subresource }: Verdict): Promise<Answer> {
  const { kind, metadata } = object as Document;
  const collection = collections[kind]!;
  if (old === undefined && subresource === undefined) return send(plane, "POST", `${collection}?dryRun=All`, object);
  const created = await send(plane, "POST", collection, old ?? object);
  if (created.status !== 201) throw new Error(`the object to update was refused: ${created.body.message}`);
  const path = `${collection}/${metadata.name}`;
  try {
    const { uid, resourceVersion } = created.body.metadata;
    const update = { ...object, metadata: { ...metadata, uid, resourceVersion } };
    const target = subresource === undefined ? path : `${path}/${subresource}`;
    return await send(plane, "PUT", `${target}?dryRun=All`, update);
  } finally {
    await send(plane, "DELETE", path);
  }
}

for (const [whose, folder, missing] of [
  ["our CRDs", ourCrdFolder, noControlPlane],
  ["Karpenter's CRDs", referenceCrdFolder, noControlPlane ?? noReference],
] as const) {
  const title = `literal verdicts of ${whose}${missing === undefined ? "" : ` (skipped: ${missing})`}`;
  describe.skipIf(missing !== undefined)(title, () => {
    let plane: ControlPlane;
    beforeAll(async () => {
      plane = await startControlPlane();
      await installCrds(plane, crdsIn(folder));
    });
    afterAll(() => plane?.stop());

    it.each(verdicts)("$name: $verdict", async (verdict) => {
      const { status, body } = await ask(plane, verdict);
      const refused = status === 422 || status === 400;
      expect([200, 201, 400, 422], JSON.stringify(body)).toContain(status);
      expect(refused ? "refused" : "accepted", body.message).toBe(verdict.verdict);
    });
  });
}
