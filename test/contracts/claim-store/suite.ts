import { afterAll, beforeAll, describe } from "vitest";
import type { ClaimStore } from "../../../shared/ports/index.ts";
import { agendaCases } from "./agenda-cases.ts";
import { claimCases } from "./claim-cases.ts";
import { commandCases } from "./command-cases.ts";
import { commitCases, largeClusterCases } from "./commit-cases.ts";
import { launchCases } from "./launch-cases.ts";

/** A store to test, and what ends it. */
export interface StoreUnderTest {
  readonly store: ClaimStore;
  readonly stop?: () => Promise<void>;
}

/**
 * What every claim store promises, whatever is behind it. One store serves all cases: each works on clusters of its own
 * (`cluster()` names a fresh one), as in a deployment.
 */
export function runClaimStoreSuite(
  name: string,
  makeStore: () => Promise<StoreUnderTest>,
  options: {
    readonly skipBecause?: string | undefined;
    /** Claims of the large cluster: fewer for an emulator that grows slow. */
    readonly largeClusterClaims?: number;
  } = {},
): void {
  const skipped = options.skipBecause === undefined ? "" : ` (skipped: ${options.skipBecause})`;
  describe.skipIf(options.skipBecause !== undefined)(`claim store on ${name}${skipped}`, () => {
    let made: StoreUnderTest;
    let clusters = 0;
    beforeAll(async () => {
      made = await makeStore();
    });
    afterAll(async () => {
      await made?.stop?.();
    });
    const context: SuiteContext = { store: () => made.store, cluster: () => `cluster-${++clusters}` };
    commitCases(context);
    claimCases(context);
    launchCases(context);
    commandCases(context);
    agendaCases(context);
    largeClusterCases(context, options.largeClusterClaims ?? 1_000);
  });
}

export interface SuiteContext {
  store(): ClaimStore;
  /** The name of a cluster that no case has used. */
  cluster(): string;
}
