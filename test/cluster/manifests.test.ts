// What a person does first: kubectl applies our CRDs and the guide's manifests, and looks at them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ControlPlane } from "./control-plane.ts";
import { crdsIn, ourCrdFolder, shared } from "./documents.ts";
import { type Kubectl, openKubectl, untilDocumented } from "./kubectl.ts";
import { openCluster } from "./stand-in.ts";

const noCluster = inject("noCluster");
const guide = join(shared, "guide");
const noGuide = existsSync(guide) ? undefined : "../shared/guide is not there";
const because = (reason: string | undefined) => (reason === undefined ? "" : ` (skipped: ${reason})`);

describe.skipIf(noCluster !== undefined)(`kubectl${because(noCluster)}`, () => {
  let plane: ControlPlane;
  let kubectl: Kubectl;
  beforeAll(async () => {
    plane = await openCluster({});
    kubectl = openKubectl(plane);
    await kubectl("apply", "-f", ourCrdFolder);
    await kubectl("wait", "--for=condition=Established", "--timeout=90s", "crd", "--all");
    await untilDocumented(kubectl, crdsIn(ourCrdFolder));
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
