import { describe, expect, it } from "vitest";
import { chunk, command, head, planned, t0 } from "./fixtures.ts";
import type { SuiteContext } from "./suite.ts";

export function commandCases({ store, cluster }: SuiteContext): void {
  async function withClaims(): Promise<string> {
    const c = cluster();
    await store().createHead(c, head);
    await store().commit(c, head, chunk("p1", [planned("a"), planned("b")]));
    return c;
  }
  const at = (seq: number) => ({ ...head, seq });

  describe("a command", () => {
    it("is committed with its candidates and replacements", async () => {
      const c = await withClaims();
      const replace = command("cmd1", ["a", "b"], {
        reason: "Drifted",
        decision: "replace",
        replacements: [planned("r", ["ns/moved"])],
      });
      const outcome = await store().commit(c, at(1), chunk("d1", [], { commands: [replace], createdAtMs: t0 + 7 }));
      expect(outcome).toEqual({ kind: "committed", head: at(2) });
      const state = await store().readState(c, t0 + 7);
      expect(state?.commands).toEqual([{ ...replace, version: 1, openedAtMs: t0 + 7, replacementNames: ["r"] }]);
      expect(state?.claims.map((claim) => [claim.name, claim.version, claim.commandId, claim.reason])).toEqual([
        ["a", 2, "cmd1", "provisioned"],
        ["b", 2, "cmd1", "provisioned"],
        ["r", 1, undefined, "drifted"],
      ]);
      expect(state?.placements).toContainEqual({
        planId: "d1",
        untilMs: t0 + 20_000,
        target: "r",
        pods: ["ns/moved"],
      });
    });

    it("makes a replacement once that its chunk names too", async () => {
      const c = await withClaims();
      const replace = command("cmd1", ["a"], { decision: "replace", replacements: [planned("r")] });
      await store().commit(c, at(1), chunk("d1", [planned("r")], { commands: [replace] }));
      const state = await store().readState(c, t0);
      expect(state?.claims.map((claim) => claim.name)).toEqual(["a", "b", "r"]);
      expect(state?.placements.filter((placement) => placement.target === "r")).toHaveLength(1);
    });

    it("is lost when a candidate is gone or in another command", async () => {
      const c = await withClaims();
      await store().commit(c, at(1), chunk("d1", [], { commands: [command("cmd1", ["a"])] }));
      const second = chunk("d2", [], { commands: [command("cmd2", ["a", "b"])] });
      expect(await store().commit(c, at(2), second)).toEqual({ kind: "lost" });
      await store().retireClaim(c, "b", 1, t0, t0 + 1);
      const third = chunk("d3", [], { commands: [command("cmd3", ["b"])] });
      expect(await store().commit(c, at(2), third)).toEqual({ kind: "lost" });
      expect((await store().readState(c, t0))?.commands.map((open) => open.id)).toEqual(["cmd1"]);
      expect((await store().readHead(c))?.seq).toBe(2);
    });

    it("is closed once, by version, and lets its candidates go that are still there", async () => {
      const c = await withClaims();
      await store().commit(c, at(1), chunk("d1", [], { commands: [command("cmd1", ["a", "b"])] }));
      await store().retireClaim(c, "a", 2, t0, t0 + 1);
      expect(await store().closeCommand(c, "cmd1", 2)).toBe("lost");
      expect(await store().closeCommand(c, "cmd1", 1)).toBe("closed");
      expect(await store().closeCommand(c, "cmd1", 1)).toBe("closed");
      const state = await store().readState(c, t0);
      expect(state?.commands).toEqual([]);
      expect(state?.claims.map((claim) => [claim.name, claim.version, claim.commandId])).toEqual([["b", 3, undefined]]);
    });
  });
}
