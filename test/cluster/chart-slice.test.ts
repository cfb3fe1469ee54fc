// The main job with everything in the cluster that the chart puts there, and the functions under no other rights than
// those that it gives their group.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { dynoxideAvailable } from "../../local/aws/dynamodb.ts";
import { type ChartPlane, rightsIn, startChartPlane } from "./chart-plane.ts";
import { handedOver } from "./chart-values.ts";
import { workloadControllers } from "./control-plane.ts";
import { provideHelm } from "./helm.ts";
import { send } from "./http.ts";
import { deployment, nodeClass, nodePool, type SliceWorld } from "./slice.ts";
import { sliceWorld } from "./slice-world.ts";

const program = await provideHelm();
const noStore = dynoxideAvailable() ? undefined : "DynamoDB's emulator is not installed";
const missing = inject("noControlPlane") ?? ("reason" in program ? program.reason : noStore);
const patienceMs = 120_000;
const deployments = "/apis/apps/v1/namespaces/default/deployments";

const title = `the main job under the chart's rights${missing === undefined ? "" : ` (skipped: ${missing})`}`;
describe.skipIf(missing !== undefined)(title, () => {
  let chart: ChartPlane;
  let world: SliceWorld;
  const notes = new Set<string>();
  beforeAll(async () => {
    chart = await startChartPlane("path" in program ? program.path : "", {
      scheduler: true,
      controllers: workloadControllers,
    });
    await chart.install({ ...handedOver, replicas: 0 });
    const { plane, functionsToken } = chart;
    world = await sliceWorld((line) => notes.add(line))({ ...plane, functionsToken });
  });
  afterAll(async () => {
    await world?.stop();
    await chart?.stop();
  });

  const create = async (path: string, document: object) => {
    const { status, body } = await send(chart.plane, "POST", path, document);
    expect(status, JSON.stringify(body)).toBe(201);
  };
  const untilSo = async (what: string, ask: () => Promise<boolean>) => {
    const deadline = performance.now() + patienceMs;
    while (!(await ask())) {
      if (performance.now() > deadline) throw new Error(`${what}: not in time\n${[...notes].slice(-30).join("\n")}`);
      await sleep(500);
    }
  };
  const count = async (path: string) => (await send(chart.plane, "GET", path)).body.items.length as number;

  it("gives pods nodes, takes the nodes away, and is denied nothing", { timeout: 3 * patienceMs }, async () => {
    await create("/apis/karpenter.k8s.aws/v1/ec2nodeclasses", nodeClass);
    await create("/apis/karpenter.sh/v1/nodepools", nodePool);
    await create(deployments, deployment);
    const running = "/api/v1/namespaces/default/pods?fieldSelector=status.phase%3DRunning";
    await untilSo("every pod runs", async () => (await count(running)) === deployment.spec.replicas);
    const scale = { spec: { replicas: 0 } };
    await send(chart.plane, "PATCH", `${deployments}/web/scale`, scale, "application/merge-patch+json");
    const left = async () => (await count("/api/v1/nodes")) + (await count("/apis/karpenter.sh/v1/nodeclaims"));
    await untilSo("every node is gone", async () => (await left()) === 0);

    const { asked, forbidden } = chart.requestsOf(chart.functionsUser);
    expect([...forbidden]).toEqual([]);
    const allowed = await rightsIn(chart.plane, "clusterroles/timmerman-functions");
    expect([...asked].filter((right) => !allowed.has(right))).toEqual([]);
    expect(asked).toContain("create karpenter.sh/nodeclaims");
    expect(asked).toContain("patch /nodes");
  });
});
