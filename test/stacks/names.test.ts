import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { functionNames, pascal, queueVariable, relayRoleName } from "../../stacks/names.ts";

describe("names", () => {
  it("of functions are the folders", () => {
    const folders = readdirSync(new URL("../../functions", import.meta.url));
    expect([...functionNames].sort()).toEqual(folders.sort());
  });

  it.each([
    ["resolve-node-classes", "ResolveNodeClasses"],
    ["us-east-1", "UsEast1"],
    ["tick", "Tick"],
  ])("%s becomes %s for a component", (name, component) => {
    expect(pascal(name)).toBe(component);
  });

  it("of variables are those that the runtime reads", () => {
    expect(queueVariable("resolve-node-classes")).toBe("TIMMERMAN_QUEUE_RESOLVE_NODE_CLASSES");
  });

  it("of a relay's role fit IAM's 64 characters, and stay apart when they are cut", () => {
    expect(relayRoleName("timmerman-production", "blue")).toBe("timmerman-production-relay-blue");
    const long = "a".repeat(99);
    const names = ["b", "c"].map((end) => relayRoleName("timmerman-production", `${long}${end}`));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^timmerman-production-relay-a{28}-[0-9a-f]{8}$/);
  });
});
