// Setting a cluster up: its head, once. Everything that provisions begins with a head, and nothing else makes one, so that a
// lost table can never pass for a new cluster.
import { type Head, tags } from "../../shared/core/model/index.ts";
import type { ClaimStore, Clock, Cloud, Ids, WakeTarget } from "../../shared/ports/index.ts";

export interface SetUpInput {
  readonly cluster: string;
  /** The uid of the cluster's kube-system. */
  readonly clusterUid: string;
  readonly deployment: string;
  readonly store: ClaimStore;
  readonly cloud: Pick<Cloud, "findByTags">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}

export type SetUp =
  | { readonly kind: "created" | "there"; readonly head: Head }
  /** The head is of a cluster that had this name before. */
  | { readonly kind: "another"; readonly head: Head }
  /** There is no head, and there are instances: records were lost. */
  | { readonly kind: "orphans"; readonly instanceIds: readonly string[] };

const controllers: readonly WakeTarget[] = [
  "resolve-node-classes",
  "provision",
  "lifecycle",
  "disrupt",
  "collect-garbage",
];

/**
 * Creates the head if it is absent, unless instances of this deployment run in the cluster already: a new head would make
 * garbage of them. Then every controller is due now, so that the next tick wakes it. May be repeated.
 */
export async function setUpCluster(input: SetUpInput): Promise<SetUp> {
  const { cluster, clusterUid, store, clock, ids } = input;
  const outcome = await findOrCreate(input, async () => {
    const head = await store.createHead(cluster, { seq: 0, epoch: ids.next(), clusterUid });
    return { kind: "created", head };
  });
  if (outcome.kind === "created" || outcome.kind === "there") {
    const nowMs = clock.now();
    for (const controller of controllers) await store.setAgenda(cluster, controller, nowMs, { nowMs });
  }
  return outcome;
}

async function findOrCreate(
  { cluster, clusterUid, deployment, store, cloud }: SetUpInput,
  create: () => Promise<SetUp>,
): Promise<SetUp> {
  const head = await store.readHead(cluster);
  if (head !== undefined) return { kind: head.clusterUid === clusterUid ? "there" : "another", head };
  const instances = await cloud.findByTags({ [tags.deployment]: deployment, [tags.eksClusterName]: cluster });
  if (instances.length > 0) return { kind: "orphans", instanceIds: instances.map(({ id }) => id).sort() };
  return await create();
}
