import type { OverlayFault } from "../core/catalog/index.ts";
import { UserDataError, userDataFor } from "../core/launch/index.ts";
import type { BufferRoom, CapacityBuffer, NodeClass, NodePool, ResolvedAmi } from "../core/model/index.ts";
import { RequirementError, Requirements, unknownValuesReason } from "../core/requirements/index.ts";
import type { ResolvedNetwork, StatusCondition } from "../ports/index.ts";
import type { ClusterBootstrap } from "./context.ts";

type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly message: string };

const ok: Verdict = { ok: true };
const no = (reason: string, message: string): Verdict => ({ ok: false, reason, message });

function condition(type: string, verdict: Verdict): StatusCondition {
  if (verdict.ok) return { type, status: "True", reason: type, message: "" };
  return { type, status: "False", reason: verdict.reason, message: verdict.message };
}

/** Ready is the others together; it says what they say. */
function withReady(conditions: readonly StatusCondition[]): readonly StatusCondition[] {
  const failed = conditions.filter(({ status }) => status !== "True");
  if (failed.length === 0) return [...conditions, condition("Ready", ok)];
  const status = failed.some((one) => one.status === "False") ? "False" : "Unknown";
  const message = failed.map(({ type, message: why }) => `${type}: ${why}`).join("; ");
  return [...conditions, { type: "Ready", status, reason: "UnhealthyDependents", message }];
}

export interface ClassFindings {
  readonly nodeClass: NodeClass;
  readonly network: ResolvedNetwork;
  readonly amis: readonly ResolvedAmi[];
  /** Image terms that could not be looked up, with the reason. */
  readonly unresolved: readonly string[];
  readonly bootstrap: ClusterBootstrap;
  readonly clusterName: string;
  /** Reservations may be used (Karpenter's feature gate). */
  readonly reservable: boolean;
}

/** Conditions of an EC2NodeClass, with Karpenter's types and reasons (facts §3.8). */
export function classConditions(findings: ClassFindings): readonly StatusCondition[] {
  const { nodeClass, network, amis, unresolved } = findings;
  const terms = (list: readonly unknown[]) => JSON.stringify(list);
  const images =
    amis.length > 0
      ? ok
      : no(
          unresolved.length > 0 ? "UnsupportedAlias" : "AMINotFound",
          unresolved[0] ?? `no image matches spec.amiSelectorTerms ${terms(nodeClass.amiSelectorTerms)}`,
        );
  const subnets =
    network.subnets.length > 0
      ? ok
      : no("SubnetsNotFound", `no subnet matches spec.subnetSelectorTerms ${terms(nodeClass.subnetSelectorTerms)}`);
  const groups =
    network.securityGroups.length > 0
      ? ok
      : no(
          "SecurityGroupsNotFound",
          `no security group matches spec.securityGroupSelectorTerms ${terms(nodeClass.securityGroupSelectorTerms)}`,
        );
  const profile =
    nodeClass.instanceProfile !== undefined || nodeClass.role !== undefined
      ? ok
      : no("InstanceProfileNotFound", "neither spec.role nor spec.instanceProfile is set");
  const dependencies = [
    condition("AMIsReady", images),
    condition("SubnetsReady", subnets),
    condition("SecurityGroupsReady", groups),
    condition("InstanceProfileReady", profile),
    ...(findings.reservable ? [condition("CapacityReservationsReady", ok)] : []),
  ];
  return withReady([...dependencies, condition("ValidationSucceeded", bootVerdict(findings))]);
}

/** Whether nodes of the class can be told how to boot. */
function bootVerdict({ nodeClass, bootstrap, clusterName }: ClassFindings): Verdict {
  const { endpoint, caBundle, serviceCidr, dnsAddress } = bootstrap;
  try {
    userDataFor(nodeClass.amiFamily, {
      clusterName,
      endpoint,
      caBundle,
      serviceCidr,
      ...(dnsAddress === undefined ? {} : { dnsAddress }),
      labels: {},
      taints: [],
      kubelet: nodeClass.kubelet,
      ...(nodeClass.userData === undefined ? {} : { custom: nodeClass.userData }),
    });
    return ok;
  } catch (error) {
    if (!(error instanceof UserDataError)) throw error;
    return no(error.code === "too-large" ? "UserDataSizeLimitExceeded" : "UserDataInvalid", error.message);
  }
}

/** Conditions of a NodeOverlay (facts §3.8). */
export function overlayConditions(fault: OverlayFault | undefined): readonly StatusCondition[] {
  return withReady([condition("ValidationSucceeded", fault === undefined ? ok : no(fault.reason, fault.message))]);
}

/**
 * Conditions of a CapacityBuffer, with Karpenter's types and reasons. Claims in flight are room that is there, as nodes
 * are; `room` absent: none is kept.
 */
export function bufferConditions(
  { fault, replicas }: CapacityBuffer,
  room: BufferRoom | undefined,
): readonly StatusCondition[] {
  const ready: StatusCondition =
    fault === undefined
      ? { type: "ReadyForProvisioning", status: "True", reason: "Resolved", message: "" }
      : condition("ReadyForProvisioning", no(fault.reason, fault.message));
  const provisioning = (status: "True" | "False", reason: string, message: string): StatusCondition => ({
    type: "Provisioning",
    status,
    reason,
    message,
  });
  if (fault !== undefined) {
    return [ready, provisioning("False", "NotReadyForProvisioning", "see ReadyForProvisioning")];
  }
  if (replicas === 0) return [ready, provisioning("False", "BufferEmpty", "it asks for room for no pod")];
  const { existing, coming } = room ?? { existing: 0, coming: 0 };
  if (existing === replicas) {
    const message = `nodes that are there or on their way have room for all ${replicas} pods`;
    return [ready, provisioning("True", "FitsExistingCapacity", message)];
  }
  const missing = replicas - existing - coming;
  const message = `of ${replicas} pods ${existing} have room, ${coming} get it on new nodes, ${missing} have none`;
  return [ready, provisioning("False", "RequiresNewCapacity", message)];
}

/** Conditions of a NodePool: its own text, and the class it names. `classReady` absent: the class could not be read now. */
export function poolConditions(
  pool: NodePool,
  nodeClass: NodeClass | undefined,
  classReady: StatusCondition | undefined,
): readonly StatusCondition[] {
  return withReady([condition("ValidationSucceeded", poolVerdict(pool)), classCondition(pool, nodeClass, classReady)]);
}

function poolVerdict(pool: NodePool): Verdict {
  try {
    const requirements = Requirements.of(pool.requirements);
    const unknown = pool.requirements.flatMap((requirement) => unknownValuesReason(requirement) ?? []);
    if (unknown.length > 0) return no("NodePoolValidationFailed", `spec.template.spec.requirements: ${unknown[0]}`);
    const impossible = [...requirements].find((requirement) => requirement.impossible);
    if (impossible === undefined) return ok;
    return no("NodePoolValidationFailed", `spec.template.spec.requirements: nothing satisfies ${impossible.key}`);
  } catch (error) {
    if (!(error instanceof RequirementError)) throw error;
    return no("NodePoolValidationFailed", `spec.template.spec.requirements: ${error.message}`);
  }
}

function classCondition(
  pool: NodePool,
  nodeClass: NodeClass | undefined,
  classReady: StatusCondition | undefined,
): StatusCondition {
  const type = "NodeClassReady";
  const name = pool.nodeClassRef.name;
  if (nodeClass === undefined)
    return condition(type, no("NodeClassNotFound", `EC2NodeClass ${name} is not in the cluster`));
  if (nodeClass.deletionAtMs !== undefined) {
    return condition(type, no("NodeClassTerminating", `EC2NodeClass ${name} is being deleted`));
  }
  if (classReady === undefined) {
    const message = `EC2NodeClass ${name} could not be resolved now`;
    return { type, status: "Unknown", reason: "NodeClassReadinessUnknown", message };
  }
  return { ...classReady, type };
}
