// Karpenter 1.14.1's series, written down by hand: type and labels of each (of nodes' well-known labels, those that name_ stands
// for), and what the widespread dashboards and alerts ask for.

type Type = "counter" | "gauge" | "histogram" | "summary";

const nodeLabels =
  "nodepool zone region instance_type arch os capacity_type windows_build capacity_reservation_id capacity_reservation_type capacity_reservation_interruptible instance_hypervisor instance_encryption_in_transit_supported instance_category instance_capability_flex instance_family instance_generation instance_size instance_local_nvme instance_cpu instance_cpu_manufacturer instance_cpu_sustained_clock_speed_mhz instance_memory instance_ebs_bandwidth instance_network_bandwidth instance_gpu_name instance_gpu_manufacturer instance_gpu_count instance_gpu_memory instance_accelerator_name instance_accelerator_manufacturer instance_accelerator_count zone_id instance_tenancy placement_group_id placement_group_partition node_name phase managed";

export const karpentersSeries: readonly (readonly [name: string, type: Type, labels: string])[] = [
  ["karpenter_build_info", "gauge", "version goversion goarch commit"],
  ["karpenter_cloudprovider_batcher_batch_size", "histogram", "batcher"],
  ["karpenter_cloudprovider_batcher_batch_time_seconds", "histogram", "batcher"],
  ["karpenter_cloudprovider_duration_seconds", "histogram", "controller method provider"],
  ["karpenter_cloudprovider_errors_total", "counter", "controller method provider error"],
  ["karpenter_cloudprovider_instance_launch_failures_total", "counter", "zone zone_id capacity_type reason"],
  ["karpenter_cloudprovider_instance_termination_failures_total", "counter", "zone zone_id"],
  ["karpenter_cloudprovider_instance_type_cpu_cores", "gauge", "instance_type"],
  ["karpenter_cloudprovider_instance_type_memory_bytes", "gauge", "instance_type"],
  ["karpenter_cloudprovider_instance_type_offering_available", "gauge", "instance_type capacity_type zone"],
  ["karpenter_cloudprovider_instance_type_offering_price_estimate", "gauge", "instance_type capacity_type zone"],
  ["karpenter_cluster_state_node_count", "gauge", ""],
  ["karpenter_cluster_state_synced", "gauge", ""],
  ["karpenter_cluster_state_unsynced_time_seconds", "gauge", ""],
  ["karpenter_cluster_utilization_percent", "gauge", "resource_type"],
  ["karpenter_consolidation_moves_total", "counter", "decision nodepool policy"],
  ["karpenter_consolidation_score", "histogram", "decision nodepool policy"],
  ["karpenter_ec2nodeclasses_userdata_bytes", "gauge", "nodeclass"],
  ["karpenter_interruption_deleted_messages_total", "counter", ""],
  ["karpenter_interruption_instance_status_unhealthy_total", "counter", "category"],
  ["karpenter_interruption_message_queue_duration_seconds", "histogram", ""],
  ["karpenter_interruption_received_messages_total", "counter", "message_type"],
  ["karpenter_nodeclaims_created_total", "counter", "reason nodepool min_values_relaxed"],
  ["karpenter_nodeclaims_disrupted_total", "counter", "reason nodepool capacity_type"],
  ["karpenter_nodeclaims_instance_termination_duration_seconds", "histogram", "nodepool"],
  ["karpenter_nodeclaims_terminated_total", "counter", "nodepool capacity_type zone"],
  ["karpenter_nodeclaims_termination_duration_seconds", "histogram", "nodepool"],
  ["karpenter_nodeclaims_unhealthy_disrupted_total", "counter", "condition nodepool capacity_type image_id"],
  ["karpenter_nodepools_allowed_disruptions", "gauge", "nodepool reason"],
  ["karpenter_nodepools_cost_total", "gauge", "nodepool"],
  ["karpenter_nodepools_cost_tracker_errors_total", "counter", "nodepool"],
  ["karpenter_nodepools_limit", "gauge", "resource_type nodepool"],
  ["karpenter_nodepools_nodes_consuming_budgets", "gauge", "nodepool reason"],
  ["karpenter_nodepools_usage", "gauge", "resource_type nodepool"],
  ["karpenter_nodes_allocatable", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_nodes_created_total", "counter", "nodepool zone"],
  ["karpenter_nodes_current_lifetime_seconds", "gauge", nodeLabels],
  ["karpenter_nodes_drained_total", "counter", "nodepool"],
  ["karpenter_nodes_lifetime_duration_seconds", "histogram", "nodepool"],
  ["karpenter_nodes_system_overhead", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_nodes_terminated_total", "counter", "nodepool zone"],
  ["karpenter_nodes_termination_duration_seconds", "summary", "nodepool"],
  ["karpenter_nodes_total_daemon_limits", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_nodes_total_daemon_requests", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_nodes_total_pod_limits", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_nodes_total_pod_requests", "gauge", `${nodeLabels} resource_type`],
  ["karpenter_pods_bound_duration_seconds", "histogram", ""],
  ["karpenter_pods_drained_total", "counter", "reason"],
  ["karpenter_pods_eviction_requests_total", "counter", "code"],
  ["karpenter_pods_provisioning_bound_duration_seconds", "histogram", ""],
  ["karpenter_pods_provisioning_scheduling_undecided_time_seconds", "gauge", "name namespace"],
  ["karpenter_pods_provisioning_startup_duration_seconds", "histogram", ""],
  ["karpenter_pods_provisioning_unbound_time_seconds", "gauge", "name namespace"],
  ["karpenter_pods_provisioning_unstarted_time_seconds", "gauge", "name namespace"],
  ["karpenter_pods_scheduling_decision_duration_seconds", "histogram", ""],
  ["karpenter_pods_startup_duration_seconds", "summary", ""],
  [
    "karpenter_pods_state",
    "gauge",
    "name namespace owner node scheduled nodepool zone arch capacity_type instance_type phase ready managed",
  ],
  ["karpenter_pods_unbound_time_seconds", "gauge", "name namespace"],
  ["karpenter_pods_unstarted_time_seconds", "gauge", "name namespace"],
  ["karpenter_scheduler_ignored_pods_count", "gauge", ""],
  ["karpenter_scheduler_pending_pods_by_effective_zone_count", "gauge", "controller zone"],
  ["karpenter_scheduler_queue_depth", "gauge", "controller scheduling_id"],
  ["karpenter_scheduler_scheduling_duration_seconds", "histogram", "controller"],
  ["karpenter_scheduler_unfinished_work_seconds", "gauge", "controller scheduling_id"],
  ["karpenter_scheduler_unschedulable_pods_count", "gauge", "controller"],
  ["karpenter_voluntary_disruption_consolidation_timeouts_total", "counter", "consolidation_type"],
  ["karpenter_voluntary_disruption_decision_evaluation_duration_seconds", "histogram", "reason consolidation_type"],
  [
    "karpenter_voluntary_disruption_decisions_by_nodepool_total",
    "counter",
    "nodepool decision reason consolidation_type",
  ],
  ["karpenter_voluntary_disruption_decisions_total", "counter", "decision reason consolidation_type"],
  ["karpenter_voluntary_disruption_eligible_nodes", "gauge", "reason"],
  ["karpenter_voluntary_disruption_failed_validations_total", "counter", "consolidation_type"],
  ["karpenter_voluntary_disruption_queue_failures_total", "counter", "decision reason consolidation_type"],
];

const ofClaims = "karpenter_k8s_aws_ec2nodeclass karpenter_sh_nodepool";
const kinds: readonly (readonly [infix: string, labels: string])[] = [
  ["ec2nodeclass_", ""],
  ["node_", `${ofClaims} karpenter_sh_initialized`],
  ["nodeclaim_", ofClaims],
  ["nodepool_", ""],
  ["", "group kind"],
];

export const operatorsSeries: readonly (readonly [name: string, type: Type, labels: string])[] = kinds.flatMap(
  ([infix, own]) =>
    (
      [
        ["status_condition_count", "gauge", "namespace name type status reason"],
        ["status_condition_current_status_seconds", "gauge", "namespace name type status reason"],
        ["status_condition_transition_seconds", "histogram", "type status"],
        ["status_condition_transitions_total", "counter", "type status reason"],
        ["termination_current_time_seconds", "gauge", "namespace name"],
        ["termination_duration_seconds", "histogram", ""],
      ] as const
    ).map(([name, type, labels]) => [`operator_${infix}${name}`, type, `${labels} ${own}`.trim()] as const),
);

/** Dashboard (as docs/metrics.md calls it) → what its panels ask for. */
export const dashboards: Readonly<Record<string, string>> = {
  "Karpenter's own, capacity":
    "karpenter_nodes_created_total karpenter_nodes_terminated_total karpenter_voluntary_disruption_eligible_nodes karpenter_nodeclaims_disrupted_total karpenter_voluntary_disruption_decisions_total karpenter_pods_state karpenter_nodepools_usage karpenter_nodepools_limit karpenter_nodes_allocatable karpenter_nodes_total_daemon_requests karpenter_nodes_total_pod_requests",
  "Karpenter's own, performance":
    "karpenter_nodes_termination_duration_seconds karpenter_pods_startup_duration_seconds controller_runtime_reconcile_time_seconds_bucket controller_runtime_reconcile_time_seconds_count controller_runtime_reconcile_total",
  "Karpenter's own, controllers":
    "workqueue_depth controller_runtime_reconcile_total controller_runtime_reconcile_time_seconds_bucket controller_runtime_reconcile_errors_total",
  "22171, Overview":
    "karpenter_nodepools_usage karpenter_nodepools_limit karpenter_nodes_total_pod_requests karpenter_nodes_total_pod_limits karpenter_nodes_total_daemon_requests karpenter_nodes_total_daemon_limits karpenter_nodes_allocatable karpenter_pods_state",
  "22172, Activity":
    "karpenter_nodes_created_total karpenter_nodes_terminated_total karpenter_nodeclaims_created_total karpenter_nodeclaims_terminated_total karpenter_nodeclaims_termination_duration_seconds_bucket karpenter_voluntary_disruption_decisions_total karpenter_voluntary_disruption_eligible_nodes karpenter_voluntary_disruption_queue_failures_total karpenter_voluntary_disruption_decision_evaluation_duration_seconds_bucket karpenter_nodeclaims_disrupted_total karpenter_pods_state karpenter_pods_startup_duration_seconds",
  "22173, Performance":
    "karpenter_cluster_state_synced karpenter_cluster_state_node_count karpenter_cloudprovider_errors_total karpenter_nodes_termination_duration_seconds karpenter_pods_startup_duration_seconds karpenter_scheduler_queue_depth karpenter_scheduler_scheduling_duration_seconds_bucket karpenter_interruption_received_messages_total karpenter_interruption_deleted_messages_total karpenter_interruption_message_queue_duration_seconds_bucket controller_runtime_reconcile_total",
  "Costs, of the same family":
    "karpenter_cloudprovider_instance_type_offering_price_estimate karpenter_nodes_allocatable",
};

/** What 22173 asks for that Karpenter no longer has. */
export const staleNames: readonly string[] = [
  "karpenter_workqueue_depth",
  "karpenter_workqueue_queue_duration_seconds_bucket",
  "karpenter_workqueue_work_duration_seconds_bucket",
];
