import { claimNotes } from "../../../shared/core/model/index.ts";
import { claim, condition, node, nodeClass, pod, pool, startMs } from "./kept.ts";
import { scraping } from "./scrape.ts";

/** What the relay exports of a cluster in which everything has happened once: pods that wait and that started, a node that went after a quarter of an hour, and two that stay. */
export function busyCluster(): string {
  const { view, list, at: clockAt, text: scrape } = scraping();
  view.put("EC2NodeClass", nodeClass("standard"));
  view.put("NodePool", pool("default", { usage: { cpu: 6000 }, limits: { cpu: 100_000 } }));
  list();
  for (const name of ["a", "b", "c"]) {
    const labels = { ...claim(name).labels, "node.kubernetes.io/instance-type": "m7g.large" };
    view.put("NodeClaim", claim(name, { labels, annotations: { [claimNotes.priceMicroUsd]: "96000" } }));
    view.put("Node", node(name));
    view.put("Pod", pod(`on-${name}`, { nodeName: name }));
    const times = { scheduledAtMs: startMs + 1000, readyAtMs: startMs + 9000 };
    view.put("Pod", pod(`on-${name}`, { nodeName: name, phase: "Running", ready: true, isDaemon: true, ...times }));
  }
  for (let index = 0; index < 6; index++) view.put("Pod", pod(`waits-${index}`, { unschedulable: true }));
  const ended = ["DisruptionReason", "Drained", "InstanceTerminating"].map((type) =>
    condition(type, "True", type === "DisruptionReason" ? "Underutilized" : type),
  );
  view.put("NodeClaim", claim("a", { conditions: ended, deletionAtMs: startMs }));
  clockAt(900);
  view.remove("Node", "uid-of-a");
  view.remove("NodeClaim", "uid-of-claim-a");
  return scrape();
}
