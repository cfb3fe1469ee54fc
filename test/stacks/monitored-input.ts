import type { Monitored } from "../../stacks/metrics.ts";

const fed = ["provision", "disrupt", "lifecycle", "interrupt", "resolve-node-classes", "collect-garbage"];
const named = (folders: readonly string[], suffix: string) =>
  Object.fromEntries(folders.map((folder) => [folder, `timmerman-production-${folder}-${suffix}`]));

export const queues = named(fed, "queue");
export const deadLetterQueues = named(fed, "dead");
export const functions = named([...fed, "tick", "refresh-catalog"], "function");

export const monitored: Monitored = {
  deployment: "timmerman-production",
  region: "eu-west-1",
  queues,
  deadLetterQueues,
  functions,
  clusters: ["blue", "green"],
};
