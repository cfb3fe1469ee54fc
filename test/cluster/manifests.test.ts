// What a person does first: kubectl applies our CRDs and the guide's manifests, and looks at them.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ControlPlane } from "./control-plane.ts";
import { ourCrdFolder, shared } from "./documents.ts";
import { openCluster } from "./stand-in.ts";

const run = promisify(execFile);
const noCluster = inject("noCluster");
const guide = join(shared, "guide");
const noGuide = existsSync(guide) ? undefined : "../shared/guide is not there";
const because = (reason: string | undefined) => (reason === undefined ? "" : ` (skipped: ${reason})`);

describe.skipIf(noCluster !== undefined)(`kubectl${because(noCluster)}`, () => {
  let plane: ControlPlane;
  const kubectl = async (...args: string[]) => {
    const path = plane.kubectlPath;
    if (path === undefined) throw new Error("no kubectl beside kube-apiserver or on the PATH");
    return (await run(path, ["--kubeconfig", plane.kubeconfigPath, ...args])).stdout;
  };
  beforeAll(async () => {
    plane = await openCluster({});
    await kubectl("apply", "-f", ourCrdFolder);
    await kubectl("wait", "--for=condition=Established", "--timeout=30s", "crd", "--all");
  });
  afterAll(() => plane?.stop());

  it("applies our CRDs a second time without a change", async () => {
    const lines = (await kubectl("apply", "-f", ourCrdFolder)).trim().split("\n");
    expect(lines.length).toBe(5);
    expect(lines.filter((line) => !line.endsWith(" unchanged"))).toEqual([]);
  });

  it("explains our fields", async () => {
    expect(await kubectl("explain", "nodepool.spec.disruption.budgets.nodes")).toMatch(/DESCRIPTION:\s+\S+/);
  });

  it.skipIf(noGuide !== undefined)(`applies the guide's manifests and shows the pools${because(noGuide)}`, async () => {
    for (const file of ["ec2nodeclass.yaml", "nodepool.yaml", "spot-and-on-demand.yaml"]) {
      await kubectl("apply", "-f", join(guide, file));
    }
    const [header = "", ...rows] = (await kubectl("get", "nodepools")).trim().split("\n");
    const columns = header.split(/\s+/);
    expect(columns.filter((c) => c !== "NODES" && c !== "READY")).toEqual(["NAME", "NODECLASS", "WEIGHT", "AGE"]);
    expect(rows.length).toBe(3);
    const classes = (await kubectl("get", "ec2nodeclasses", "-o", "name")).trim().split("\n");
    expect(classes).toEqual(["ec2nodeclass.karpenter.k8s.aws/default"]);
  });
});
