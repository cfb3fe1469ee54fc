import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../../local/flags.ts";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import { applyManifest, readManifests } from "../../../local/manifests.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifests-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const crds = new URL("../../../charts/timmerman/files/crds", import.meta.url).pathname;
const built = new URL("../../../local/manifests", import.meta.url).pathname;

function createStore() {
  return createApiServer({ clock: { now: () => 0 }, ids: createSeededIds(1) }).store;
}

describe("manifests", () => {
  it("are read from folders in order of name, lists taken apart", () => {
    write("b.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: { name: b }\n---\n");
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } }],
    };
    write("a.json", JSON.stringify(list));
    write("notes.txt", "not a manifest");
    expect(readManifests([folder]).map((m) => m.object.metadata.name)).toEqual(["a", "b"]);
  });

  it.each([
    ["broken YAML", "kind: [", /bad\.yaml, document 1: /],
    [
      "a document without a name",
      "apiVersion: v1\nkind: Namespace\n",
      /document 1: apiVersion, kind and metadata\.name are needed/,
    ],
  ])("with %s name file and document", (_, text, message) => {
    const path = write("bad.yaml", text);
    expect(() => readManifests([path])).toThrow(UsageError);
    expect(() => readManifests([path])).toThrow(message);
  });

  it("that are not there are named", () => {
    expect(() => readManifests([join(folder, "none.yaml")])).toThrow(/none\.yaml: no such file/);
  });

  it("of the local world apply, and apply again without a change", () => {
    const store = createStore();
    for (const manifest of [...readManifests([crds]), ...readManifests([built])]) applyManifest(store, manifest);
    expect(store.list("nodepools.karpenter.sh").items.map((o) => o.metadata.name)).toEqual(["default"]);
    const pods = store.list("deployments.apps").items.reduce((sum, d) => sum + d.spec.replicas, 0);
    expect(pods).toBe(60);
    const before = store.resourceVersion();
    for (const manifest of readManifests([built])) applyManifest(store, manifest);
    expect(store.resourceVersion()).toBe(before);
  });

  it("that the API refuses are named with the field", () => {
    const store = createStore();
    for (const manifest of readManifests([crds])) applyManifest(store, manifest);
    const text = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: p }
spec:
  weight: 500
  template: { spec: { requirements: [], nodeClassRef: { group: g, kind: k, name: n } } }
`;
    const [manifest] = readManifests([write("pool.yaml", text)]);
    expect(() => applyManifest(store, manifest!)).toThrow(/pool\.yaml, document 1: NodePool p: .*spec\.weight/);
  });

  it("of an unknown kind are named", () => {
    const [manifest] = readManifests([
      write("x.yaml", "apiVersion: example.com/v1\nkind: Gadget\nmetadata: { name: x }\n"),
    ]);
    expect(() => applyManifest(createStore(), manifest!)).toThrow(/no kind Gadget in example\.com\/v1/);
  });
});
