// The pass of the main job, with the test in place of the cluster: it moves the pods itself.
import { describe, expect, it } from "vitest";
import type { WorldClock } from "../../../local/clock.ts";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import type { KubeObject } from "../../../local/kube/types.ts";
import { createLedger } from "../../../local/ledger.ts";
import { playPass } from "../../../local/scenario.ts";
import { createTerminal } from "../../../local/show/terminal.ts";
import type { NodeClaim } from "../../../shared/core/model/index.ts";

const node = "ip-10-0-80-4.ec2.internal";

/** Time passes only when somebody waits; whatever should happen meanwhile happens at once. */
function clockThat(onSleep: () => void): WorldClock {
  let ms = 0;
  return {
    speed: 1,
    now: () => ms,
    sleep: async (forMs) => {
      ms += forMs;
      onSleep();
    },
    after: () => () => {},
  };
}

const pod = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { nodeName: node, containers: [{ name: "c", image: "registry.example/c:1" }] },
});

describe("a pass", () => {
  it("sees pods come back on a new node that got the interrupted one's address, and so its name", async () => {
    const store = createApiServer({ clock: { now: () => 0 }, ids: createSeededIds(1) }).store;
    const ledger = createLedger();
    const run = (name: string) => {
      store.create("pods", pod(name));
      const setRunning = (draft: KubeObject) => {
        draft.status = { phase: "Running" };
      };
      store.modify("pods", { namespace: "default", name }, setRunning, { subresource: "status" });
    };
    const claim = {
      name: "default-a",
      nodeName: node,
      initializedAtMs: 0,
      instance: { id: "i-1", capacityType: "spot" },
    } as NodeClaim;
    ledger.claims.set(claim.name, { name: claim.name, latest: claim });
    let sleeps = 0;
    const happenings = [
      () => store.delete("pods", { namespace: "default", name: "old" }, { gracePeriodSeconds: 0 }),
      () => run("new"),
      () => {
        ledger.claims.get(claim.name)!.goneAtMs = 1;
      },
    ];
    const result = await playPass({
      kube: store,
      clock: clockThat(() => {
        const happen = happenings[sleeps++];
        if (happen === undefined) throw new Error("it waits for what has happened");
        happen();
      }),
      ledger,
      terminal: createTerminal({ write: () => true } as unknown as NodeJS.WriteStream, { NO_COLOR: "1" }),
      startMs: 0,
      workloads: [pod("old")],
      apply: () => run("old"),
      interrupt: (id) => id === "i-1",
      look: async () => {},
    });
    expect(result.interruption).toEqual({ node, replaced: true, podsLost: 0, secondsToReplacement: 1 });
    expect(sleeps).toBe(happenings.length);
  });
});
