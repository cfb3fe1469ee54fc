import { afterEach, expect, it } from "vitest";
import { openKubeCluster } from "../../../shared/adapters/kube/index.ts";
import type { NodeClaim } from "../../../shared/core/model/index.ts";
import { claimRecord } from "../../contracts/cluster/manifests.ts";
import { type Reply, type ScriptedServer, type SeenRequest, startScriptedServer } from "./scripted-server.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.stop());

const path = "/apis/karpenter.sh/v1/nodeclaims/claim";

/** A custom resource that shows version 1 of the record, and a pod event that the relay noted. */
const present = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodeClaim",
  metadata: {
    name: "claim",
    uid: "u",
    resourceVersion: "7",
    annotations: { "timmerman/record-version": "1" },
    finalizers: ["karpenter.sh/termination"],
  },
  status: { lastPodEventTime: "2026-06-01T12:30:00Z" },
};

async function mirror(
  claim: NodeClaim,
  reply: (request: SeenRequest) => Reply = () => ({ status: 200, body: present }),
): Promise<readonly SeenRequest[]> {
  server = await startScriptedServer(reply);
  const clock = { now: () => 0, sleep: async () => {} };
  await openKubeCluster({ server: server.url, token: "t" }, { clock }).mirrorClaim(claim, "Launched");
  return server.seen;
}

const claim: NodeClaim = { ...claimRecord("claim"), version: 2 };

it("creates the custom resource with its whole specification", async () => {
  let created = false;
  const seen = await mirror({ ...claim, terminationGracePeriodMs: 5_400_000 }, ({ method }) => {
    if (method === "POST") created = true;
    return created ? { status: 200, body: present } : { status: 404 };
  });
  const { spec, metadata } = seen.find((r) => r.method === "POST")!.body;
  expect(spec).toEqual({
    nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "class" },
    requirements: [
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"] },
      { key: "node.kubernetes.io/instance-type", operator: "In", values: ["m6a.large", "m6i.large"] },
    ],
    resources: { requests: { cpu: "1500m", memory: "2Gi", pods: "5" } },
    taints: [{ key: "team", value: "blue", effect: "NoSchedule" }],
    expireAfter: "720h",
    terminationGracePeriod: "1h30m",
  });
  expect(metadata.labels).toEqual({
    team: "blue",
    "karpenter.sh/nodepool": "pool",
    "karpenter.k8s.aws/ec2nodeclass": "class",
  });
  expect(metadata.ownerReferences).toEqual([
    {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      name: "pool",
      uid: "11111111-2222-4333-8444-555555555555",
      blockOwnerDeletion: true,
    },
  ]);
});

it("keeps a later pod event than the record knows", async () => {
  const seen = await mirror({ ...claim, lastPodEventAtMs: Date.UTC(2026, 5, 1, 12, 10) });
  expect(seen.find((r) => r.path === `${path}/status`)!.body.status.lastPodEventTime).toBeUndefined();
});

it("writes a later pod event than the custom resource shows", async () => {
  const seen = await mirror({ ...claim, lastPodEventAtMs: Date.UTC(2026, 5, 1, 12, 40) });
  const written = seen.find((r) => r.path === `${path}/status`)!.body.status.lastPodEventTime;
  expect(written).toBe("2026-06-01T12:40:00Z");
});

it("says what EC2 refused, and squeezes its code into a reason", async () => {
  const failure = { reason: "insufficient-capacity", message: "no pool has any", atMs: 0 };
  const seen = await mirror({ ...claim, launchFailure: failure });
  const { conditions } = seen.find((r) => r.path === `${path}/status`)!.body.status;
  expect(conditions[0]).toMatchObject({
    type: "Launched",
    status: "Unknown",
    reason: "InsufficientCapacity",
    message: "no pool has any",
  });
});

it("gives up on a custom resource that never holds still", async () => {
  const unquiet = ({ method }: SeenRequest): Reply =>
    method === "GET" ? { status: 200, body: present } : { status: 409, body: { reason: "Conflict" } };
  await expect(mirror(claim, unquiet)).rejects.toMatchObject({ code: "conflict", retry: "later" });
});
