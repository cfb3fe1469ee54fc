import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
    [
      "JSON documents one after the other",
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"}{\\"a"}}\n{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}{"apiVersion":"v1","kind":"Pod","metadata":{"name":"c"}}',
      ['/Pod }{"a @ f: document 1', "/Pod b @ f: document 2", "/Pod c @ f: document 3"],
    ],
    ["a byte order mark", '\uFEFF{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}', ["/Pod a @ f: document 1"]],
    ["YAML in flow style", "{apiVersion: v1, kind: Pod, metadata: {name: a}}", ["/Pod a @ f: document 1"]],
    ["lists that are null", '{"apiVersion":"v1","kind":"PodList","items":null}', []],
    ["an alias", "metadata: &m {name: a}\napiVersion: v1\nkind: Pod\nspec: *m\n", ["/Pod a @ f: document 1"]],
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
    ["apiVersion: v1\nkind: List\nitems: 5\n", "f: document 1: items: expected a list"],
    ["apiVersion: v1\nkind: PodList\nitems: [[]]\n", "f: document 1: items[0]: expected a Kubernetes object"],
    ['{"apiVersion":"v1","kind":"Pod"}\n{"kind": Pod}', "f: document 2: "],
    ["kind: Pod\nspec: *nope\n", "f: document 1: Unresolved alias"],
    [
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n",
      "f: document 1: Excessive",
    ],
    [
      "apiVersion: v1\nkind: Pod\nmetadata: &m {name: x, labels: *m}\n",
      "f: document 1: is nested more than 200 levels",
    ],
    [`${'{"a":'.repeat(300)}1${"}".repeat(300)}`, "f: document 1: is nested more than 200 levels"],
    [`{a: ${"[".repeat(20_000)}`, "f: document 1: is nested more than 200 levels"],
    ["apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {priority: .nan}\n", "f: document 1: NaN is not a number"],
    ["%YAML 1.1\n---\nat: 2026-01-01\n", "f: document 1: has a value with a tag"],
  ])("%j is refused in one line", (text, message) => {
    let said = "";
    try {
      parseDocuments(text, "f");
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).not.toMatch(/\n|:$|\\n/);
  });

  it.each([
    ["kind: Pod\n  name: x\n", "f: document 1: line 1, column 7: "],
    ["a: 1\nb: [c\nd: 2\n", "f: document 1: line "],
    ["a: 'b\n", "f: document 1: line "],
    ["%a\n%b\nfoo\nbar: baz\n", "f: document 1: line "],
  ])("what the YAML parser says of %j is told with its place, in a clean line", (text, start) => {
    expect(() => parseDocuments(text, "f")).toThrow(start);
    expect(() => parseDocuments(text, "f")).not.toThrow(/\n|\\n|at line|:$/);
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
    mkdirSync(join(folder, "..2026"));
    writeFileSync(join(folder, "..2026", "d.yaml"), pod("d"));
    symlinkSync("..2026", join(folder, "..data"));
    symlinkSync("..data/d.yaml", join(folder, "d.yaml"));
    symlinkSync("deep", join(folder, "e.yaml"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("of directories are read in depth and in order; other files are left alone", () => {
    const names = readDocuments([folder]).map(({ document }) => (document.metadata as { name: string }).name);
    expect(names).toEqual(["a", "b", "d", "c"]);
  });

  it("of links that lead nowhere are named", () => {
    const broken = mkdtempSync(join(tmpdir(), "broken-"));
    symlinkSync("nowhere", join(broken, "l.yaml"));
    expect(() => readDocuments([broken])).toThrow("l.yaml: there is no such file or directory");
    rmSync(broken, { recursive: true });
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
        "apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {name: b}",
        "apiVersion: other.io/v1\nkind: NodePool\nmetadata: {name: n}",
      ].join("\n---\n"),
      "f",
    ),
  );

  it("unknown ones are named once, with their number", () => {
    expect(objects.notes).toEqual([
      "Pod default/a: f: document 2 replaces f: document 1",
      "skipped kinds that have no say in a plan: CronJob (1), NodePool (1), Service (2)",
    ]);
  });

  it("the later of two documents of a name counts, and generated names are given", () => {
    expect(objects.of("/Pod").map(({ document }) => document.metadata)).toEqual([
      { name: "a", namespace: "default", labels: { x: "1" } },
      { name: "g-0", namespace: "default", generateName: "g-" },
    ]);
    expect(objects.of("karpenter.sh/NodePool")).toEqual([]);
  });

  it("many documents of one name are one line", () => {
    const pods = Array.from({ length: 1500 }, () => "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
    expect(sortByKind(parseDocuments(pods.join("---\n"), "f")).notes).toEqual([
      "Pod default/a: f: document 2 replaces f: document 1 (and 1,498 more of that kind)",
    ]);
  });

  it("generated names are none that stand there", () => {
    const pods = ["{generateName: g-}", "{name: g-0}", "{generateName: g-}"].map(
      (metadata) => `apiVersion: v1\nkind: Pod\nmetadata: ${metadata}\n`,
    );
    const named = sortByKind(parseDocuments(pods.join("---\n"), "f")).of("/Pod");
    expect(named.map(({ document }) => (document.metadata as { name: string }).name)).toEqual(["g-1", "g-0", "g-2"]);
  });

  it.each([
    ["{}", "metadata.name: is missing"],
    ["{name: ''}", "metadata.name: is missing"],
    ["{name: {toString: 1}}", 'metadata.name: expected a text, got {"toString":1}'],
    ["{name: a, namespace: 7}", "metadata.namespace: expected a text, got 7"],
  ])("metadata of %s is refused", (metadata, problem) => {
    const text = `apiVersion: v1\nkind: Pod\nmetadata: ${metadata}\n`;
    expect(() => sortByKind(parseDocuments(text, "f"))).toThrow(`f: document 1: Pod: ${problem}`);
  });

  it("a document without metadata is refused", () => {
    expect(() => sortByKind(parseDocuments("apiVersion: v1\nkind: Pod\n", "f"))).toThrow(
      "f: document 1: Pod: metadata",
    );
  });
});
