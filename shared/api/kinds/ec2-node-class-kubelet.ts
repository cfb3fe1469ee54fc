import { boolean, integer, list, map, object, rule, string } from "../schema/build.ts";
import { quantityTextPattern } from "./parts.ts";

const signals = [
  "memory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "pid.available",
];

const signalKeys = (field: string) =>
  rule(
    `self.all(x, x in [${signals.map((signal) => `'${signal}'`).join(",")}])`,
    `kubelet.${field} has a key that is no eviction signal; use ${signals.join(", ")}`,
  );

/** A percentage, a quantity, or nothing. */
const thresholdPattern = `^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||${quantityTextPattern.slice(1, -1)})$`;

const threshold = string("", { pattern: thresholdPattern });

const reserved = (field: string, description: string) =>
  map(description, string("", { pattern: quantityTextPattern }), {
    rules: [
      rule(
        "self.all(x, x=='cpu' || x=='memory' || x=='ephemeral-storage' || x=='pid')",
        `kubelet.${field} has a key that cannot be reserved; use cpu, memory, ephemeral-storage and pid`,
      ),
      rule("self.all(x, !self[x].startsWith('-'))", `kubelet.${field} has a negative amount; amounts are zero or more`),
    ],
  });

const percent = (description: string) => integer(description, { format: "int32", minimum: 0, maximum: 100 });

/** Kubelet settings that change how much room a node has, or that people set most. */
export const kubelet = object(
  "Settings of the nodes' kubelets.",
  {
    optional: {
      clusterDNS: list("Addresses of the DNS servers that pods are told of.", string("")),
      cpuCFSQuota: boolean("Whether CPU limits of containers are enforced."),
      evictionHard: map("Thresholds below which pods are evicted at once, by signal.", threshold, {
        rules: [signalKeys("evictionHard")],
      }),
      evictionMaxPodGracePeriod: integer(
        "Longest time, in seconds, that a pod gets to end when a soft threshold evicts it.",
        { format: "int32" },
      ),
      evictionSoft: map("Thresholds below which pods are evicted after a while, by signal.", threshold, {
        rules: [signalKeys("evictionSoft")],
      }),
      evictionSoftGracePeriod: map(
        "How long a soft threshold must be passed before it evicts, by signal.",
        string(""),
        {
          rules: [signalKeys("evictionSoftGracePeriod")],
        },
      ),
      imageGCHighThresholdPercent: percent("Disk use above which unused images are always removed."),
      imageGCLowThresholdPercent: percent("Disk use below which unused images are never removed."),
      kubeReserved: reserved("kubeReserved", "What is set aside for Kubernetes' own programs, by resource."),
      maxPods: integer("The most pods that a node takes.", { format: "int32", minimum: 0 }),
      podsPerCore: integer("The most pods that a node takes for each of its vCPUs; maxPods still holds.", {
        format: "int32",
        minimum: 0,
      }),
      systemReserved: reserved("systemReserved", "What is set aside for the operating system, by resource."),
    },
  },
  {
    rules: [
      rule(
        "has(self.imageGCHighThresholdPercent) && has(self.imageGCLowThresholdPercent) ?  self.imageGCHighThresholdPercent > self.imageGCLowThresholdPercent  : true",
        "kubelet.imageGCHighThresholdPercent is not above kubelet.imageGCLowThresholdPercent; raise the one or lower the other",
      ),
      rule(
        "has(self.evictionSoft) ? self.evictionSoft.all(e, (e in self.evictionSoftGracePeriod)):true",
        "kubelet.evictionSoft has a signal without an entry in kubelet.evictionSoftGracePeriod; add it there",
      ),
      rule(
        "has(self.evictionSoftGracePeriod) ? self.evictionSoftGracePeriod.all(e, (e in self.evictionSoft)):true",
        "kubelet.evictionSoftGracePeriod has a signal without an entry in kubelet.evictionSoft; add it there",
      ),
    ],
  },
);
