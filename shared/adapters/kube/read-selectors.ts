import { toWorkloadSelector } from "../../api/index.ts";
import type { WorkloadSelector } from "../../core/model/index.ts";
import { paths } from "./documents.ts";
import type { List } from "./read-cluster.ts";

/** What Services and workloads select, for pods whose spread is the cluster's default; of large documents no more is kept. */
export async function readSelectors(list: List): Promise<readonly WorkloadSelector[]> {
  const lists = await Promise.all([
    list(paths.services, "Service", toWorkloadSelector),
    list(paths.replicationControllers, "ReplicationController", toWorkloadSelector),
    list(paths.replicaSets, "ReplicaSet", toWorkloadSelector),
    list(paths.statefulSets, "StatefulSet", toWorkloadSelector),
  ]);
  return lists.flatMap(({ items }) => items);
}
