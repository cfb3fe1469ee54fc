import { describe, expect, it } from "vitest";
import { phaseOf } from "../../../shared/core/lifecycle/index.ts";
import type { ClaimPhase, Command, Launch, NodeClaim } from "../../../shared/core/model/index.ts";
import { claim, instance, t0 } from "./literals.ts";

const open = {
  id: "l1",
  version: 1,
  claims: ["default-abc"],
  sealedAtMs: t0,
  sendBeforeMs: t0 + 600_000,
} as unknown as Launch;
const settled: Launch = { ...open, settledAtMs: t0 + 5 };
const command = { id: "c1", reason: "Empty", candidates: ["default-abc"] } as unknown as Command;
const launch = { id: "l1", sealedAtMs: t0 };
const deletion = { requestedAtMs: t0, reason: "empty" } as const;

type Row = readonly [ClaimPhase, string, Partial<NodeClaim>, (readonly [Launch | undefined, Command?])?];

const rows: readonly Row[] = [
  ["Pending", "committed, no launch", {}],
  ["Pending", "its launch failed and was taken off", { launchFailure: { reason: "x", message: "y", atMs: t0 } }],
  ["Launching", "in an open launch", { launch }, [open]],
  ["Launching", "in a launch that was not read", { launch }],
  ["Launching", "to go, but nobody knows yet whether it has an instance", { launch, deletion }, [open]],
  ["Terminating", "to go, and its launch left nothing", { launch, deletion }, [settled]],
  ["Terminating", "to go before it was launched", { deletion }],
  ["Launched", "has an instance", { launch, instance }, [settled]],
  ["Registered", "its node is synced", { instance, registeredAtMs: t0 }],
  ["Initialized", "its node is of use", { instance, registeredAtMs: t0, initializedAtMs: t0 }],
  ["Disrupting", "a candidate", { instance, registeredAtMs: t0, initializedAtMs: t0 }, [undefined, command]],
  ["Draining", "to go, with an instance", { instance, deletion }, [undefined, command]],
  ["Draining", "drained, not terminated", { instance, deletion, drainedAtMs: t0 }],
  ["Terminating", "terminate was called", { instance, deletion, drainedAtMs: t0, terminateCalledAtMs: t0 }],
  ["Gone", "retired", { instance, deletion, goneAtMs: t0 }],
];

describe("phaseOf", () => {
  it.each(rows.map(([phase, why, evidence, items]) => ({ phase, why, evidence, items: items ?? [undefined] })))(
    "is $phase: $why",
    ({ phase, evidence, items }) => {
      expect(phaseOf(claim(evidence), items[0], items[1])).toBe(phase);
    },
  );
});
