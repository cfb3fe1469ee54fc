// What a pod asks of a node, as kube-scheduler sums it: containers together, init containers one at a time beside the
// sidecars started before them, pod-level resources and overhead. Written apart from the planning core, whose sums it judges.
import { own } from "../../shared/core/model/index.ts";
import { quantityNanos } from "../kube/quantity.ts";
import type { KubeObject } from "../kube/types.ts";

export type Amounts = Record<string, number>;

/** A quantity in milli-CPU for `cpu`, in units or bytes otherwise; rounded up unless `down`. */
export function amountOf(resource: string, quantity: string | number, down = false): number {
  const nanos = quantityNanos(quantity);
  if (nanos === undefined) throw new Error(`"${quantity}" is not a quantity of ${resource}`);
  const unit = resource === "cpu" ? 1_000_000n : 1_000_000_000n;
  return Number(down ? nanos / unit : (nanos + unit - 1n) / unit);
}

export function amountsOf(quantities: Record<string, string | number> | undefined, down = false): Amounts {
  return Object.fromEntries(Object.entries(quantities ?? {}).map(([name, q]) => [name, amountOf(name, q, down)]));
}

export function addTo(total: Amounts, more: Amounts, sign: 1 | -1 = 1): void {
  for (const [name, amount] of Object.entries(more)) total[name] = (own(total, name) ?? 0) + sign * amount;
}

function raise(total: Amounts, floor: Amounts): void {
  for (const [name, amount] of Object.entries(floor)) total[name] = Math.max(own(total, name) ?? 0, amount);
}

function containerRequests(container: KubeObject["spec"]): Amounts {
  return amountsOf({ ...container.resources?.limits, ...container.resources?.requests });
}

/** The pod's effective requests, with `pods: 1`. */
export function requestsOf(pod: KubeObject): Amounts {
  const spec = pod.spec;
  const total: Amounts = {};
  for (const container of spec.containers ?? []) addTo(total, containerRequests(container));
  const sidecars: Amounts = {};
  const peak: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const asked = containerRequests(container);
    if (container.restartPolicy === "Always") {
      addTo(sidecars, asked);
      addTo(total, asked);
      raise(peak, sidecars);
    } else {
      const during = { ...sidecars };
      addTo(during, asked);
      raise(peak, during);
    }
  }
  raise(total, peak);
  Object.assign(total, amountsOf({ ...spec.resources?.limits, ...spec.resources?.requests }));
  addTo(total, amountsOf(spec.overhead));
  total.pods = 1;
  return total;
}
