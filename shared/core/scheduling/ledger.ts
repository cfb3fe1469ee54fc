import { own, type Resources } from "../model/index.ts";
import { isCovered, largestCapacity, takeLimits } from "./limits.ts";
import { launchableTypes, type OpenClaim } from "./open-claim.ts";
import type { Pool } from "./pool.ts";

/** What the pools' limits leave while claims are opened. Every claim is charged the most that it could turn out to be. */
export class LimitLedger {
  readonly #remaining: Map<string, Resources>;

  constructor(limits: ReadonlyMap<string, Resources>) {
    this.#remaining = new Map(limits);
  }

  remaining(pool: Pool): Resources {
    return this.#remaining.get(pool.nodePool.name) ?? {};
  }

  isLimited(pool: Pool): boolean {
    return Object.keys(this.remaining(pool)).length > 0;
  }

  charge(pool: Pool, use: Resources, times: number): void {
    this.#remaining.set(pool.nodePool.name, takeLimits(this.remaining(pool), use, times));
  }

  /** Charges all claims if their whole lists of types fit the limits together; false, and nothing charged, if not. */
  chargeAll(pool: Pool, claims: readonly OpenClaim[]): boolean {
    let left = this.remaining(pool);
    for (const claim of claims) {
      const types = launchableTypes(pool, claim.state, claim.usage, claim.ceiling);
      const use = largestCapacity(types ?? []);
      if (types === undefined || !isCovered(left, use, 1)) return false;
      left = takeLimits(left, use, 1);
    }
    this.#remaining.set(pool.nodePool.name, left);
    return true;
  }

  /**
   * The claim with its types held down to what the limits leave, and to the size of its cheapest type, so that others have
   * room too; charged. Undefined if no type is left.
   */
  chargeTight(claim: OpenClaim): OpenClaim | undefined {
    const left = this.remaining(claim.pool);
    const types = launchableTypes(claim.pool, claim.state, claim.usage, left);
    const cheapest = types?.[0];
    if (types === undefined || cheapest === undefined) return undefined;
    const size = Object.fromEntries(
      Object.keys(left).map((name) => [
        name,
        name === "nodes" ? 1 : Math.min(left[name]!, own(cheapest.capacity, name) ?? 0),
      ]),
    );
    // A flexibility floor may need larger types than the cheapest.
    const ceiling = launchableTypes(claim.pool, claim.state, claim.usage, size) === undefined ? left : size;
    const kept = launchableTypes(claim.pool, claim.state, claim.usage, ceiling)!;
    this.charge(claim.pool, largestCapacity(kept), 1);
    return { ...claim, ceiling };
  }
}
