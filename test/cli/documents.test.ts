import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDocuments, readDocuments } from "../../cli/input/documents.ts";
import { sortByKind } from "../../cli/input/objects.ts";

const seen = (text: string): string[] =>
  parseDocuments(text, "f").map(({ group, kind, document, where }) => {
    const { name } = (document as { metadata: { name: string } }).metadata;
    return `${group}/${kind} ${name} @ ${where}`;
  });

describe("documents of one file", () => {
  it.each([
    [
      "several YAML documents, empty ones aside",
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\n",
      ["/Pod a @ f: document 1", "apps/Deployment b @ f: document 3"],
    ],
    ["JSON", '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}', ["/Pod a @ f: document 1"]],
    [
      "a List within a List",
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}]}',
      ["/Pod a @ f: document 1: items[0]: items[0]"],
    ],
    [
      "a typed list, whose items leave their kind out",
      '{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a"}}]}',
      ["/Pod a @ f: document 1: items[0]"],
    ],
    [
      "several JSON documents, as YAML",
      '---\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}\n---\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}\n',
      ["/Pod a @ f: document 1", "/Pod b @ f: document 2"],
    ],
    ["nothing", "\n", []],
  ])("%s", (_, text, expected) => {
    expect(seen(text)).toEqual(expected);
  });

  it.each([
    ["a: [", "f: document 1: "],
    ["apiVersion: v1\nkind: Pod\n---\nhello\n", "f: document 2: expected a Kubernetes object"],
    ["kind: Pod\n", "f: document 1: apiVersion: is missing"],
    ["apiVersion: v1\n", "f: document 1: kind: is missing"],
    ['{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod"}]}', "f: document 1: items[0]: apiVersion: is missing"],
    ["apiVersion: v1\napiVersion: v2\nkind: Pod\n", "f: document 1: "],
  ])("%j is refused in one line", (text, message) => {
    let said = "";
    try {
      parseDocuments(text, "f");
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).not.toContain("\n");
  });
});

describe("paths", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "documents-"));
    mkdirSync(join(folder, "deep"));
    const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\n`;
    writeFileSync(join(folder, "b.yml"), pod("b"));
    writeFileSync(join(folder, "a.yaml"), pod("a"));
    writeFileSync(join(folder, "deep", "c.json"), '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c"}}');
    writeFileSync(join(folder, "notes.txt"), "not a manifest");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("of directories are read in depth and in order; other files are left alone", () => {
    const names = readDocuments([folder]).map(({ document }) => (document.metadata as { name: string }).name);
    expect(names).toEqual(["a", "b", "c"]);
  });

  it("that do not exist are named", () => {
    expect(() => readDocuments([join(folder, "x.yaml")])).toThrow("x.yaml: there is no such file or directory");
  });
});

describe("kinds", () => {
  const objects = sortByKind(
    parseDocuments(
      [
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default, labels: {x: '1'}}",
        "apiVersion: v1\nkind: Pod\nmetadata: {generateName: g-}",
        "apiVersion: v1\nkind: Service\nmetadata: {name: s}",
        "apiVersion: v1\nkind: Service\nmetadata: {name: t}",
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}",
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp3}",
        "apiVersion: other.io/v1\nkind: NodePool\nmetadata: {name: n}",
      ].join("\n---\n"),
      "f",
    ),
  );

  it("unknown ones are named once, with their number, and so is what has no say yet", () => {
    expect(objects.notes).toEqual([
      "Pod default/a: f: document 2 replaces f: document 1",
      "skipped kinds that have no say in a plan: CronJob (1), NodePool (1), Service (2)",
      "read, but not considered by this version: StorageClass (1)",
    ]);
  });

  it("the later of two documents of a name counts, and generated names are given", () => {
    expect(objects.of("/Pod").map(({ document }) => document.metadata)).toEqual([
      { name: "a", namespace: "default", labels: { x: "1" } },
      { name: "g-0", namespace: "default", generateName: "g-" },
    ]);
    expect(objects.of("karpenter.sh/NodePool")).toEqual([]);
  });

  it("a document without metadata is refused", () => {
    expect(() => sortByKind(parseDocuments("apiVersion: v1\nkind: Pod\n", "f"))).toThrow(
      "f: document 1: Pod: metadata",
    );
  });
});
