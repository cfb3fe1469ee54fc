// One controller at a time on memory adapters: ports whose methods a test may bend, and the wakes that were sent.
import { createMemoryClaimStore } from "../../shared/adapters/memory/claim-store.ts";
import { createMemoryClock, createMemoryIds } from "../../shared/adapters/memory/clock.ts";
import { createMemoryCloud } from "../../shared/adapters/memory/cloud.ts";
import { createMemoryCluster } from "../../shared/adapters/memory/cluster.ts";
import { createMemoryTelemetry } from "../../shared/adapters/memory/telemetry.ts";
import { createMemoryWakes } from "../../shared/adapters/memory/wakes.ts";
import type { ControllerPorts, PlanningSettings } from "../../shared/controllers/index.ts";
import type { FleetRequest, Node, NodeClaim, PlannedClaim, Settings } from "../../shared/core/model/index.ts";
import { planProvisioning } from "../../shared/core/provisioning/index.ts";
import type { ClaimChange, ClaimStore, Cloud, Cluster, StoredState, WakeTarget } from "../../shared/ports/index.ts";
import { measuredCloud } from "../../shared/runtime/measured-cloud.ts";
import * as fixtures from "../simulation/fixtures.ts";

export const { clusterName, startMs } = fixtures;
export const wake = (target: WakeTarget) => ({ cluster: clusterName, target });

export interface Bends {
  readonly store?: (store: ClaimStore) => Partial<ClaimStore>;
  readonly cloud?: (cloud: Cloud) => Partial<Cloud>;
  readonly cluster?: (cluster: Cluster) => Partial<Cluster>;
  readonly headless?: boolean;
  readonly gates?: Partial<Settings["featureGates"]>;
}

export async function createDesk(bends: Bends = {}) {
  const clock = createMemoryClock(startMs);
  const cluster = createMemoryCluster(clock);
  const { subnets, securityGroups, images } = fixtures;
  const cloud = createMemoryCloud(clock, { subnets, securityGroups, images });
  const store = createMemoryClaimStore();
  const wakes = createMemoryWakes(clock);
  const telemetry = createMemoryTelemetry();
  if (bends.headless !== true) await store.createHead(clusterName, { seq: 0, epoch: "e1", clusterUid: "uid-1" });
  cluster.nodePools.put(fixtures.nodePool);
  cluster.nodeClasses.put({
    ...fixtures.nodeClass,
    ready: true,
    resolved: {
      amis: [{ id: "ami-standard", requirements: [] }],
      subnets: subnets.map(({ id, zone, zoneId }) => ({ id, zone, zoneId })),
      securityGroupIds: ["sg-nodes"],
      capacityReservations: [],
      instanceProfile: "node-role",
    },
  });
  const bentCloud = measuredCloud({ ...cloud, ...bends.cloud?.(cloud) }, { clock, telemetry });
  const context = {
    name: clusterName,
    region: fixtures.region,
    cluster: { ...cluster, ...bends.cluster?.(cluster) },
    cloud: bentCloud,
    settings: { ...fixtures.settings, featureGates: { ...fixtures.settings.featureGates, ...bends.gates } },
    bootstrap: fixtures.bootstrap,
  };
  const ports: ControllerPorts = {
    clusters: { open: async () => context, list: async () => [{ name: clusterName, region: fixtures.region }] },
    cloudAt: async () => bentCloud,
    store: { ...store, ...bends.store?.(store) },
    catalog: { read: async () => fixtures.catalog },
    wakes,
    clock,
    ids: createMemoryIds(1),
    telemetry,
  };
  const settings: PlanningSettings = { deployment: "test", planners: { provisioning: planProvisioning } };
  const state = async (): Promise<StoredState> => (await store.readState(clusterName, clock.now()))!;
  return {
    clock,
    cluster,
    cloud,
    store,
    wakes,
    telemetry,
    ports,
    settings,
    state,
    claims: async () => (await state()).claims,
    /** Targets woken by now, each once. */
    woken: () => [...new Set(wakes.takeDue().map(({ target }) => target))].sort(),
    pass: (ms: number) => clock.advanceTo(clock.now() + ms),
  };
}

export type Desk = Awaited<ReturnType<typeof createDesk>>;

export function planned(name: string, change: Partial<PlannedClaim> = {}): PlannedClaim {
  return {
    name,
    nodePool: "default",
    nodePoolUid: "pool",
    nodePoolHash: "1",
    nodeClass: "default",
    nodeClassHash: "1",
    requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] }],
    instanceTypes: ["m5.large"],
    cheapest: { instanceType: "m5.large", zone: "us-east-1a", capacityType: "on-demand", priceMicroUsd: 96_000 },
    labels: {},
    annotations: {},
    taints: [],
    startupTaints: [],
    requests: { cpu: 1_000 },
    expireAfterMs: null,
    terminationGracePeriodMs: null,
    pods: [],
    ...change,
  };
}

/** Claims as a commit leaves them. */
export async function commitClaims(desk: Desk, ...claims: readonly PlannedClaim[]): Promise<void> {
  const { head } = await desk.state();
  const nowMs = desk.clock.now();
  const outcome = await desk.store.commit(clusterName, head, {
    id: `plan-${head.seq}`,
    index: 0,
    claims,
    placements: [],
    commands: [],
    reason: "provisioned",
    createdAtMs: nowMs,
    nominatedUntilMs: nowMs,
  });
  if (outcome.kind !== "committed") throw new Error("the commit was lost");
}

/** A claim with a live instance and a ready node, initialized an hour ago. */
export async function settledClaim(
  desk: Desk,
  name: string,
  change: ClaimChange = {},
): Promise<{ claim: NodeClaim; node: Node }> {
  await commitClaims(desk, planned(name));
  const request: FleetRequest = {
    clientToken: name,
    count: 1,
    capacityType: "on-demand",
    allocationStrategy: "lowest-price",
    templates: [],
    overrides: [
      {
        instanceType: "m5.large",
        zone: "us-east-1a",
        subnetId: "subnet-a",
        imageId: "ami-standard",
        priceMicroUsd: 96_000,
        template: "t",
      },
    ],
    tags: {
      "timmerman/deployment": "test",
      "timmerman/epoch": "e1",
      "timmerman/launch": name,
      "eks:eks-cluster-name": clusterName,
    },
  };
  const { instances } = await desk.cloud.launch(request);
  const { id } = instances[0]!;
  const providerId = `aws:///us-east-1a/${id}`;
  const amounts = { cpu: 1_930, memory: 7_000_000_000, pods: 29 };
  const node = desk.cluster.nodes.put({
    name: `ip-${name}`,
    providerId,
    labels: { "karpenter.sh/registered": "true" },
    annotations: {},
    taints: [],
    capacity: amounts,
    allocatable: amounts,
    conditions: [{ type: "Ready", status: "True", changedAtMs: startMs }],
    cordoned: false,
    createdAtMs: startMs,
    finalizers: ["karpenter.sh/termination"],
  });
  const launch = { id: name, request, sealedAtMs: startMs, sendBeforeMs: startMs + 600_000 };
  await desk.store.sealLaunch(clusterName, launch, [{ name, version: 1 }]);
  const found: ClaimChange = {
    instance: {
      id,
      providerId,
      instanceType: "m5.large",
      zone: "us-east-1a",
      zoneId: "use1-az1",
      capacityType: "on-demand",
      priceMicroUsd: 96_000,
      capacity: amounts,
      allocatable: amounts,
      launchedAtMs: startMs,
    },
    annotations: { "karpenter.k8s.aws/tagged": "true" },
    nodeName: node.name,
    nodeUid: node.uid,
    registeredAtMs: startMs - 3_600_000,
    initializedAtMs: startMs - 3_600_000,
  };
  const pair = { claim: name, claimVersion: 2, instanceId: id, change: { ...found, ...change } };
  if ((await desk.store.settleLaunch(clusterName, name, startMs, [pair], [])) !== "settled") {
    throw new Error("the launch did not settle");
  }
  return { claim: (await desk.claims()).find((one) => one.name === name)!, node };
}
