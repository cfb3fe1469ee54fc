import { describe, expect, it } from "vitest";
import { createCollectGarbage } from "../../shared/controllers/index.ts";
import type { FleetRequest } from "../../shared/core/model/index.ts";
import { clusterName, createDesk, type Desk, settledClaim, wake } from "./desk.ts";

const minute = 60_000;

async function launchStray(desk: Desk, tags: Readonly<Record<string, string>> = {}): Promise<void> {
  const request: FleetRequest = {
    clientToken: "stray",
    count: 1,
    capacityType: "on-demand",
    allocationStrategy: "lowest-price",
    templates: [],
    overrides: [
      {
        instanceType: "m5.large",
        zone: "us-east-1a",
        subnetId: "subnet-a",
        imageId: "ami-standard",
        priceMicroUsd: 1,
        template: "t",
      },
    ],
    tags: {
      "timmerman/deployment": "test",
      "timmerman/epoch": "e1",
      "timmerman/launch": "x",
      "eks:eks-cluster-name": clusterName,
      ...tags,
    },
  };
  await desk.cloud.launch(request);
}

const alive = (desk: Desk) =>
  desk.cloud.everyInstance().filter(({ state }) => state !== "shutting-down" && state !== "terminated").length;

describe("collect-garbage", () => {
  it("terminates an orphan on its second look, and not a claim's instance", async () => {
    const desk = await createDesk();
    await settledClaim(desk, "a");
    await launchStray(desk);
    const collect = createCollectGarbage(desk.ports, desk.settings);
    await collect.run(wake("collect-garbage"));
    await desk.pass(6 * minute);
    expect((await collect.run(wake("collect-garbage"))).counts).toEqual({ instancesSuspected: 1 });
    expect(alive(desk)).toBe(2);
    await desk.pass(2 * minute);
    expect((await collect.run(wake("collect-garbage"))).counts).toEqual({ instancesCollected: 1 });
    expect(alive(desk)).toBe(1);
    expect((await desk.claims())[0]?.deletion).toBeUndefined();
  });

  it("leaves other deployments and other clusters alone", async () => {
    const desk = await createDesk();
    await launchStray(desk, { "timmerman/deployment": "another" });
    const collect = createCollectGarbage(desk.ports, desk.settings);
    for (let i = 0; i < 4; i++) {
      await desk.pass(10 * minute);
      await collect.run(wake("collect-garbage"));
    }
    expect(alive(desk)).toBe(1);
  });

  it("terminates nothing without a head, and says what to do", async () => {
    const desk = await createDesk({ headless: true });
    await launchStray(desk, { "timmerman/orphan-since": "0" });
    await desk.pass(60 * minute);
    await createCollectGarbage(desk.ports, desk.settings).run(wake("collect-garbage"));
    expect(alive(desk)).toBe(1);
    expect(desk.telemetry.lines).toMatchObject([
      { level: "error", message: expect.stringContaining("no head of their cluster") },
    ]);
  });

  it("asks the store once more before it terminates", async () => {
    const desk = await createDesk({
      store: (store) => ({
        readState: async (cluster, nowMs) => ({ ...(await store.readState(cluster, nowMs))!, claims: [] }),
      }),
    });
    await settledClaim(desk, "a");
    const { id } = desk.cloud.everyInstance()[0]!;
    await desk.cloud.tag(id, { "timmerman/orphan-since": "0" });
    await desk.pass(60 * minute);
    await createCollectGarbage(desk.ports, desk.settings).run(wake("collect-garbage"));
    expect(alive(desk)).toBe(1);
  });

  it("ends the claim of an instance that ended by itself", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    desk.cloud.end(claim.instance!.id);
    await createCollectGarbage(desk.ports, desk.settings).run(wake("collect-garbage"));
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "garbage_collected" } }]);
    expect(desk.woken()).toEqual(["lifecycle", "provision"]);
  });

  it("has those who must know due at the next tick when it ends between a deletion and its wakes", async () => {
    const desk = await createDesk();
    const { claim } = await settledClaim(desk, "a");
    desk.cloud.end(claim.instance!.id);
    const gone = () => Promise.reject(new Error("gone"));
    const dying = { ...desk.ports, wakes: { send: gone, sendAll: gone } };
    await expect(createCollectGarbage(dying, desk.settings).run(wake("collect-garbage"))).rejects.toThrow("gone");
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "garbage_collected" } }]);
    const due = await desk.store.readDue(desk.clock.now());
    expect(due.map(({ controller }) => controller).sort()).toEqual(["lifecycle", "provision"]);
  });

  it("finds a claim's instance by id when its tags were taken off", async () => {
    const desk = await createDesk({ cloud: () => ({ findByTags: async () => [] }) });
    await settledClaim(desk, "a");
    await desk.pass(10 * minute);
    await createCollectGarbage(desk.ports, desk.settings).run(wake("collect-garbage"));
    expect(await desk.claims()).toMatchObject([{ name: "a" }]);
    expect((await desk.claims())[0]).not.toHaveProperty("notFoundAtMs");
  });

  it("ends a claim whose instance EC2 does not know, on a second look", async () => {
    const desk = await createDesk({ cloud: () => ({ findByTags: async () => [], findByIds: async () => [] }) });
    await settledClaim(desk, "a");
    await desk.pass(10 * minute);
    const collect = createCollectGarbage(desk.ports, desk.settings);
    await collect.run(wake("collect-garbage"));
    const [noted] = await desk.claims();
    expect(noted?.notFoundAtMs).toBe(desk.clock.now());
    expect(noted?.deletion).toBeUndefined();
    await desk.pass(30_000);
    await collect.run(wake("collect-garbage"));
    expect(await desk.claims()).toMatchObject([{ deletion: { reason: "garbage_collected" } }]);
  });
});
