import { describe, expect, it } from "vitest";
import { customResources, parseResource } from "../../shared/api/index.ts";
import { verdicts } from "../fixtures/api/verdicts.ts";
import { crdKinds } from "./crd-kinds.ts";

type Typed = { kind: string };

/** Whether our validation takes a document. */
function verdictOf(object: object, old?: object): "accepted" | "refused" {
  const kind = customResources.find(({ kind }) => kind === (object as Typed).kind)!;
  return parseResource(kind, object, old).ok ? "accepted" : "refused";
}

describe("our kinds", () => {
  it.each(customResources.map(({ kind }) => kind))("have verdicts of both sorts: %s", (kind) => {
    const own = verdicts.filter(({ object }) => (object as Typed).kind === kind);
    expect(own.filter(({ verdict }) => verdict === "accepted").length).toBeGreaterThan(10);
    expect(own.filter(({ verdict }) => verdict === "refused").length).toBeGreaterThan(10);
  });

  it("give each document its verdict", () => {
    const wrong = verdicts.filter(({ object, old, verdict }) => verdictOf(object, old) !== verdict);
    expect(wrong.map(({ name, verdict }) => `${name} should be ${verdict}`)).toEqual([]);
  });
});

const { reference, why } = crdKinds("../shared/reference/crds");

describe.skipIf(reference === undefined)(`the published CRDs${why}`, () => {
  it("give the same verdicts", () => {
    const wrong = verdicts.filter(({ object, old, verdict }) => reference!(object, old) !== verdict);
    expect(wrong.map(({ name, verdict }) => `${name} should be ${verdict}`)).toEqual([]);
  });
});
