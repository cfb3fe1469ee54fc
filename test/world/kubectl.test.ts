// The world under kubectl's hands, after its own pass: what a newcomer would type.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningWorld, run, startWorldProcess } from "./command.ts";

function kubectlVersion(): string | undefined {
  try {
    return execFileSync("kubectl", ["version", "--client", "-o", "name"], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } catch (error) {
    // Old and new clients differ in flags; only a program that isn't there counts.
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "kubectl";
  }
}

const noKubectl = kubectlVersion() === undefined ? "kubectl is not on this machine" : undefined;
const guide = ["../shared/guide/ec2nodeclass.yaml", "../shared/guide/nodepool.yaml"];
const noGuide = guide.every((file) => existsSync(new URL(`../../${file}`, import.meta.url)))
  ? undefined
  : "the guide's manifests are not beside the repository";

describe.skipIf(noKubectl !== undefined)(`kubectl in the world${noKubectl ? ` (skipped: ${noKubectl})` : ""}`, () => {
  let world: RunningWorld;
  /** Its own, or it takes from a person's what another server said that had the same address. */
  const cache = mkdtempSync(join(tmpdir(), "kubectl-cache-"));
  afterAll(() => rmSync(cache, { recursive: true, force: true }));
  const kubectl = async (...args: string[]) => {
    const own = ["--kubeconfig", world.kubeconfig, "--cache-dir", cache];
    const { code, stdout, stderr } = await run("kubectl", [...own, ...args]);
    expect(code, `kubectl ${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout + stderr;
  };
  const header = (table: string) =>
    table
      .split("\n")[0]!
      .split(/ {2,}/)
      .map((cell) => cell.trim());
  const rows = (table: string) => table.trim().split("\n").slice(1);
  /** Looks until what it looks at is so: nodes and claims follow the pods' state in their own time. */
  const untilSo = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 120_000, interval: 500 });
  /** By uid: a new node may get the old one's address, and so its name. */
  const nodes = async () => {
    const each = '{range .items[*]}{.metadata.uid} {.metadata.name}{"\\n"}{end}';
    const lines = (await kubectl("get", "nodes", "-o", `jsonpath=${each}`)).trim().split("\n");
    return lines.map((line) => line.split(" ") as [uid: string, name: string]);
  };

  beforeAll(async () => {
    world = await startWorldProcess();
  });
  afterAll(async () => {
    await world?.interrupt();
  });

  it.skipIf(noGuide !== undefined)(
    `applies the guide's manifests${noGuide ? ` (skipped: ${noGuide})` : ""}`,
    async () => {
      expect(await kubectl("apply", ...guide.flatMap((file) => ["-f", file]))).toMatch(
        /nodepool\.karpenter\.sh\/default/,
      );
    },
  );

  it("lists node pools with the columns that people look for", async () => {
    const columns = header(await kubectl("get", "nodepools"));
    expect(columns.filter((c) => ["NAME", "NODECLASS", "WEIGHT", "AGE"].includes(c))).toEqual([
      "NAME",
      "NODECLASS",
      "WEIGHT",
      "AGE",
    ]);
    expect(await kubectl("describe", "nodepool", "default")).toMatch(/Kind:\s+NodePool/);
  });

  it("gets nodes for a Deployment that is scaled up", async () => {
    await kubectl("scale", "deployment", "web", "--replicas", "12");
    await kubectl("rollout", "status", "deployment", "web", "--timeout", "120s");
    await untilSo(async () => {
      const nodeTable = await kubectl("get", "nodes", "-L", "karpenter.sh/nodepool");
      expect(header(nodeTable)).toEqual(["NAME", "STATUS", "ROLES", "AGE", "VERSION", "NODEPOOL"]);
      expect(rows(nodeTable).length).toBeGreaterThan(0);
      for (const row of rows(nodeTable)) expect(row).toMatch(/ Ready .* default$/);
      const claims = await kubectl("get", "nodeclaims", "-o", "wide");
      expect(header(claims).slice(0, 5)).toEqual(["NAME", "TYPE", "CAPACITY", "ZONE", "NODE"]);
      expect(rows(claims)).toHaveLength(rows(nodeTable).length);
      for (const row of rows(claims)) expect(row).toMatch(/ True /);
    });
  });

  it("replaces a node that a person deletes, and moves its pods", async () => {
    const [[uid, name]] = (await nodes()) as [[string, string]];
    await kubectl("delete", "node", name, "--timeout", "120s");
    await kubectl("rollout", "status", "deployment", "web", "--timeout", "120s");
    // The rollout's status may be that of before its pods were gone.
    await untilSo(async () => {
      const after = (await nodes()).map(([each]) => each);
      expect(after.length).toBeGreaterThan(0);
      expect(after).not.toContain(uid);
    });
  });

  it("tells what happened in events", async () => {
    await untilSo(async () => {
      const events = await kubectl("get", "events", "-A");
      expect(events).toMatch(/Nominated/);
      expect(events).toMatch(/FailedScheduling/);
    });
  });

  it("loses its nodes when the Deployment is scaled to zero", async () => {
    await kubectl("scale", "deployment", "web", "--replicas", "0");
    await kubectl("wait", "--for=delete", "nodes", "--all", "--timeout", "240s");
    await untilSo(async () => expect(await kubectl("get", "nodeclaims")).toMatch(/No resources found/));
  });

  it("ends with Ctrl-C", async () => {
    // The code is that of the pass: what it found wrong is in the output.
    expect(await world.interrupt(), world.output().slice(-8_000)).toBe(0);
  });
});
