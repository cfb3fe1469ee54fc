import { setTimeout as sleep } from "node:timers/promises";
import { collections, type Document } from "./documents.ts";
import { type Connection, send } from "./http.ts";

const establishedTimeoutMs = 90_000;

/** Creates CustomResourceDefinitions, where they aren't there yet, and waits until their kinds are served. */
export async function installCrds(connection: Connection, crds: readonly Document[]): Promise<void> {
  for (const crd of crds) {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const { status, body } = await send(connection, "POST", path, crd);
    if (status !== 201 && status !== 409) throw new Error(`CRD ${crd.metadata.name} was refused: ${body.message}`);
  }
  const deadline = performance.now() + establishedTimeoutMs;
  const kinds = crds.map((crd) => (crd.spec as { names: { kind: string } }).names.kind);
  for (const kind of kinds) {
    while ((await send(connection, "GET", collections[kind]!)).status !== 200) {
      if (performance.now() > deadline) throw new Error(`${kind} is not served in time`);
      await sleep(50);
    }
  }
}
