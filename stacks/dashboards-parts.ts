import { type Cell, formula, gaugePeriod, type Line, minutePeriod, own } from "./dashboards-widgets.ts";
import {
  capacityTypes,
  deletionReasons,
  disruptionReasons,
  offeringRefusalReasons,
  phases,
  refusalReasons,
} from "./metrics-labels.ts";

// Graphs that the fleet's and a cluster's dashboard share: the same metrics, with or without the dimension `cluster`.

/** Whose: `{service}` of the deployment, `{service, cluster}` of one cluster. */
export type Whose = Readonly<Record<"service", string>> & { readonly cluster?: string };

const fiveMinutes = 300;

export function byLabel<Name>(
  name: string,
  whose: Whose,
  label: string,
  values: readonly string[],
  options: { readonly stat?: string; readonly period?: number } = {},
): Line<Name>[] {
  return values.map((value) => own<Name>(name, { ...whose, [label]: value }, { label: value, ...options }));
}

export function activity<Name>(whose: Whose): Cell<Name>[] {
  return [
    {
      title: "Claims made, launched, registered, gone",
      period: fiveMinutes,
      lines: [
        own("karpenter_nodeclaims_created_total", { ...whose }, { label: "made" }),
        own("timmerman_nodeclaims_launched_total", { ...whose }, { label: "launched" }),
        own("karpenter_nodes_created_total", { ...whose }, { label: "registered" }),
        own("karpenter_nodeclaims_terminated_total", { ...whose }, { label: "gone" }),
      ],
    },
    {
      title: "Launches refused, by reason",
      period: fiveMinutes,
      stacked: true,
      lines: byLabel("timmerman_launches_refused_total", whose, "reason", refusalReasons),
    },
    {
      title: "Offerings that EC2 refused, by reason",
      period: fiveMinutes,
      stacked: true,
      lines: byLabel("karpenter_cloudprovider_instance_launch_failures_total", whose, "reason", offeringRefusalReasons),
    },
    {
      title: "Disruptions, by reason",
      period: fiveMinutes,
      stacked: true,
      lines: byLabel("karpenter_nodeclaims_disrupted_total", whose, "reason", deletionReasons),
    },
    {
      title: "Disruption decisions, by reason",
      period: fiveMinutes,
      stacked: true,
      lines: byLabel("karpenter_voluntary_disruption_decisions_total", whose, "reason", disruptionReasons),
    },
    {
      title: "Savings decided, dollars an hour",
      period: fiveMinutes,
      unit: "USD/h",
      lines: [
        own("timmerman_voluntary_disruption_savings_micro_usd_total", { ...whose }, { id: "saved", visible: false }),
        formula("saved / 1000000", "saved"),
      ],
    },
  ];
}

export function latency<Name>(whose: Whose): Cell<Name>[] {
  const durations = (title: string, name: string): Cell<Name> => ({
    title,
    period: fiveMinutes,
    unit: "seconds",
    lines: ["p50", "p95", "Maximum"].map((stat) => own<Name>(name, { ...whose }, { stat, label: stat })),
  });
  return [
    durations("Pod pending to node ready", "timmerman_pods_ready_duration_seconds"),
    durations("Pod pending to its claim", "karpenter_pods_scheduling_decision_duration_seconds"),
    durations("Claim to instance", "timmerman_nodeclaims_launch_duration_seconds"),
    durations("Claim to registered node", "timmerman_nodeclaims_registration_duration_seconds"),
    durations("Claim to initialized node", "timmerman_nodeclaims_initialization_duration_seconds"),
    durations("Deletion to gone", "karpenter_nodes_termination_duration_seconds"),
  ];
}

export function waiting<Name>(whose: Whose): Cell<Name> {
  return {
    title: whose.cluster === undefined ? "Pending pods, of the cluster with the most" : "Pending pods",
    stat: "Maximum",
    period: minutePeriod,
    lines: [
      own("karpenter_scheduler_queue_depth", { ...whose }, { label: "waiting for a node" }),
      own("karpenter_scheduler_unschedulable_pods_count", { ...whose }, { label: "no node can be made" }),
    ],
  };
}

export function holdings<Name>(whose: Whose): Cell<Name>[] {
  const held = (title: string, name: string, unit?: string): Cell<Name> => ({
    title,
    stat: "Maximum",
    period: gaugePeriod,
    stacked: true,
    ...(unit === undefined ? {} : { unit }),
    lines: byLabel(name, whose, "capacity_type", capacityTypes),
  });
  return [
    held("Nodes, by capacity type", "timmerman_nodes"),
    held("vCPUs, by capacity type", "timmerman_vcpus"),
    held("Memory, by capacity type", "timmerman_memory_bytes", "bytes"),
  ];
}

export function standing<Name>(whose: Whose): Cell<Name> {
  return {
    title: "Claims, by phase",
    stat: "Maximum",
    period: gaugePeriod,
    stacked: true,
    lines: byLabel("timmerman_nodeclaims", whose, "phase", phases),
  };
}

export function goingAway<Name>(whose: Whose): Cell<Name>[] {
  return [
    {
      title: "Nodes that could go, by reason",
      stat: "Maximum",
      period: gaugePeriod,
      lines: byLabel("karpenter_voluntary_disruption_eligible_nodes", whose, "reason", disruptionReasons.slice(0, 3)),
    },
    {
      title: "Deletion that has taken the longest",
      stat: "Maximum",
      unit: "seconds",
      lines: [own("timmerman_oldest_termination_seconds", { ...whose }, { label: "seconds" })],
    },
  ];
}
