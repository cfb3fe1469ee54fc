// One pass of the main job through the command line, and what it says to mistakes.
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, timmerman } from "./command.ts";

describe("npm start -- --once --json", () => {
  it("runs every pod, survives an interruption, and leaves nothing over", async () => {
    const { code, stdout, stderr } = await run("npm", ["--silent", "start", "--", "--once", "--json", "--seed", "3"]);
    expect(code, stderr.slice(-4_000)).toBe(0);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({
      seed: 3,
      pods: { asked: 60, running: 60, pending: 0 },
      instances: { running: 0, withoutClaim: 0 },
      interruption: { node: expect.stringMatching(/^ip-/), replaced: true, secondsToReplacement: expect.any(Number) },
      cost: { perHourAtEnd: 0 },
      kubeconfig: expect.any(String),
    });
    const { nodeClaims, instances, consolidation, cost, steps, choices, wallSeconds } = summary;
    expect(nodeClaims.created).toBeGreaterThan(1);
    expect(nodeClaims.removed).toBe(nodeClaims.created);
    expect(nodeClaims.launched).toBe(instances.launched);
    expect(consolidation.nodesRemoved).toBeGreaterThan(0);
    expect(cost.peakPerHour).toBeGreaterThan(0);
    expect(steps.length).toBeGreaterThan(3);
    for (const step of steps) {
      expect(step).toEqual({
        step: expect.any(String),
        secondsP50: expect.any(Number),
        secondsP99: expect.any(Number),
      });
      expect(step.secondsP99).toBeGreaterThanOrEqual(step.secondsP50);
    }
    expect(choices).toHaveLength(nodeClaims.launched);
    for (const choice of choices) {
      expect(choice.why).toMatch(/by price of \d+ types/);
      expect(choice.pricePerHour).toBeGreaterThan(0);
    }
    expect(wallSeconds).toBeLessThan(180);
  });
});

describe("mistakes", () => {
  const folder = mkdtempSync(join(tmpdir(), "mistakes-"));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it.each([
    ["an unknown flag", ["--sped", "2"], /--sped/],
    ["a speed out of range", ["--speed", "0"], /--speed: "0"/],
    ["a missing file", ["-f", join(folder, "none.yaml")], /none\.yaml: no such file/],
    ["broken YAML", ["-f", file("broken.yaml", "kind: [")], /broken\.yaml, document 1/],
    [
      "an object without a name",
      ["-f", file("nameless.yaml", "apiVersion: v1\nkind: Pod\n")],
      /nameless\.yaml, document 1/,
    ],
    [
      "a refused manifest",
      [
        "-f",
        file(
          "pool.yaml",
          "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: p }\nspec: { weight: 500 }\n",
        ),
      ],
      /pool\.yaml, document 1: NodePool p: .*weight/,
    ],
  ])("%s is one line and a failure", async (_, args, message) => {
    const { code, stdout, stderr } = await timmerman("local", "--json", "--once", ...args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    const complaints = stderr.split("\n").filter((line) => line.startsWith("timmerman"));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(message);
  });

  it("a port in use is one line and a failure", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await timmerman("local", "--once", "--port", String(port));
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toBe(`timmerman local: --port: port ${port} is in use by another program\n`);
  });
});
