import type { Wake, WakeTarget } from "../../ports/index.ts";

/** A queue message that is no wake: what is wrong, by field. */
export class WakeError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "WakeError";
  }
}

const targets: Readonly<Record<WakeTarget, true>> = {
  provision: true,
  disrupt: true,
  lifecycle: true,
  "resolve-node-classes": true,
  "collect-garbage": true,
};

/** Whether it names a controller that has a queue. */
export function isWakeTarget(value: unknown): value is WakeTarget {
  return typeof value === "string" && Object.hasOwn(targets, value);
}

/** EKS: 1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit. */
const clusterName = /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/;

/** The message's body; `parseWake` reads it. */
export function wakeBody(wake: Wake): string {
  return JSON.stringify({ cluster: wake.cluster, target: wake.target, atLeast: wake.atLeast });
}

/**
 * The wake in a message's body. Throws a WakeError that names the field. Unknown fields are ignored, and so is an
 * `atLeast` that is no version in digits: a wake carries no facts, so that the look at the cluster is what matters.
 */
export function parseWake(body: string): Wake {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new WakeError('the wake is not JSON: send {"cluster":"…","target":"…"}', { cause });
  }
  if (typeof value !== "object" || value === null) throw new WakeError("the wake is no JSON object");
  const { cluster, target, atLeast } = value as Record<string, unknown>;
  if (typeof cluster !== "string" || !clusterName.test(cluster)) {
    throw new WakeError(`the wake's cluster must be an EKS cluster's name, not ${JSON.stringify(cluster)}`);
  }
  if (!isWakeTarget(target)) {
    throw new WakeError(
      `the wake's target must be one of ${Object.keys(targets).join(", ")}, not ${JSON.stringify(target)}`,
    );
  }
  return typeof atLeast === "string" && /^\d+$/.test(atLeast) ? { cluster, target, atLeast } : { cluster, target };
}
