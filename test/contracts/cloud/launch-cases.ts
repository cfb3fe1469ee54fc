// Launching: fleets, refused pools, tokens, failures.
import { describe, expect, it } from "vitest";
import type { FleetRequest } from "../../../shared/core/model/index.ts";
import type { OperationError } from "../../../shared/ports/index.ts";
import type { Context } from "./subject.ts";

export function launchCases(context: Context): void {
  describe("launch", () => {
    it("gives as many instances as asked, in the pool and with the tags of the request", async () => {
      const request = context.fresh({ count: 3 });
      const result = await context.subject().cloud.launch(request);
      expect(result.refusals).toEqual([]);
      expect(result.instances).toHaveLength(3);
      for (const instance of result.instances) {
        expect(instance).toEqual({
          id: expect.stringMatching(/^i-[0-9a-f]+$/),
          instanceType: "m5.large",
          zone: "us-east-1a",
          subnetId: context.subject().subnets.a,
          capacityType: "on-demand",
          imageId: context.subject().image.id,
        });
      }
      const found = await context.subject().cloud.findByTags({ test: request.clientToken });
      expect(found.map((i) => i.id)).toEqual(result.instances.map((i) => i.id).sort());
      expect(found[0]).toMatchObject({
        instanceType: "m5.large",
        zone: "us-east-1a",
        subnetId: context.subject().subnets.a,
        imageId: context.subject().image.id,
        capacityType: "on-demand",
        tags: { ...request.tags, "from-template": "yes" },
      });
    });

    it("can be repeated with templates that exist already", async () => {
      const first = context.fresh();
      await context.subject().cloud.launch(first);
      const second = { ...context.fresh(), templates: first.templates, overrides: first.overrides };
      expect((await context.subject().cloud.launch(second)).instances).toHaveLength(1);
    });

    context.needs("tokens", "does nothing more for a repeated request", async () => {
      const { request, ids } = await context.launched({ count: 2 });
      const again = await context.subject().cloud.launch(structuredClone(request));
      expect(await context.tagged(request)).toEqual(ids);
      expect(again.refusals).toEqual([]);
      expect([[], ids]).toContainEqual(again.instances.map((i) => i.id).sort());
    });

    context.needs("tokens", "takes a request whose keys come in another order for the same", async () => {
      const { request, ids } = await context.launched({ count: 2 });
      const reordered = { ...request, tags: Object.fromEntries(Object.entries(request.tags).reverse()) };
      await context.subject().cloud.launch(reordered);
      expect(await context.tagged(request)).toEqual(ids);
    });

    context.needs("tokens", "refuses a changed request under the same token and launches nothing", async () => {
      const { request, ids } = await context.launched();
      await expect(context.subject().cloud.launch({ ...request, count: 2 })).rejects.toMatchObject({
        name: "OperationError",
        code: "idempotency-mismatch",
        retry: "never",
      });
      expect(await context.tagged(request)).toEqual(ids);
    });

    context.needs("replay control", "leaves the instances of a repeated token to be found by tag", async () => {
      const { request, ids } = await context.launched({ count: 2 });
      const end = context.subject().replayWithoutInstances!();
      expect(await context.subject().cloud.launch(request)).toEqual({ instances: [], refusals: [] });
      end();
      expect(await context.tagged(request)).toEqual(ids);
    });

    context.needs("lost answers", "gives no more instances when a lost answer makes the caller repeat it", async () => {
      const request = context.fresh({ count: 2 });
      const end = context.subject().loseNextLaunch!();
      const error: OperationError = await context
        .subject()
        .cloud.launch(request)
        .then(
          () => expect.fail("the answer was not lost"),
          (e) => e,
        );
      end();
      expect(error).toMatchObject({ name: "OperationError", outcomeUnknown: true, retry: "now" });
      await context.subject().cloud.launch(request);
      expect(await context.tagged(request)).toHaveLength(2);
    });
  });

  describe("refusals", () => {
    const twoPools = (): Partial<FleetRequest> => ({
      overrides: [context.override("a", "c5.large"), context.override("b")],
    });

    context.needs("capacity control", "name the pool without capacity and leave the rest to the others", async () => {
      context.subject().setFreeCapacity!(
        { instanceType: "c5.large", zone: "us-east-1a", capacityType: "on-demand" },
        1,
      );
      const result = await context.subject().cloud.launch(context.fresh({ count: 3, ...twoPools() }));
      expect(result.instances.map((i) => i.instanceType).sort()).toEqual(["c5.large", "m5.large", "m5.large"]);
      expect(result.refusals).toEqual([
        {
          kind: "no-capacity",
          code: expect.any(String),
          message: expect.any(String),
          instanceType: "c5.large",
          zone: "us-east-1a",
          subnetId: context.subject().subnets.a,
          capacityType: "on-demand",
        },
      ]);
    });

    context.needs("capacity control", "are all there is when no pool has capacity", async () => {
      for (const [instanceType, zone] of [
        ["c5.large", "us-east-1a"],
        ["m5.large", "us-east-1b"],
      ] as const) {
        context.subject().setFreeCapacity!({ instanceType, zone, capacityType: "spot" }, 0);
      }
      const request = context.fresh({
        ...twoPools(),
        capacityType: "spot",
        allocationStrategy: "price-capacity-optimized",
      });
      const result = await context.subject().cloud.launch(request);
      expect(result.instances).toEqual([]);
      expect(result.refusals.map((r) => [r.kind, r.instanceType, r.zone, r.capacityType]).sort()).toEqual([
        ["no-capacity", "c5.large", "us-east-1a", "spot"],
        ["no-capacity", "m5.large", "us-east-1b", "spot"],
      ]);
      expect(await context.tagged(request)).toEqual([]);
    });

    context.needs("address control", "name the subnet without addresses", async () => {
      context.subject().setFreeAddresses!(context.subject().subnets.c, 1);
      const request = context.fresh({
        count: 2,
        overrides: [context.override("c")],
      });
      const result = await context.subject().cloud.launch(request);
      expect(result.instances).toHaveLength(1);
      expect(result.refusals).toMatchObject([{ kind: "no-addresses", subnetId: context.subject().subnets.c }]);
    });

    context.needs("quota control", "say quota when the account may have no more", async () => {
      const end = context.subject().exhaustQuota!("spot");
      const result = await context
        .subject()
        .cloud.launch(context.fresh({ capacityType: "spot", allocationStrategy: "price-capacity-optimized" }));
      end();
      expect(result.instances).toEqual([]);
      expect(result.refusals).toMatchObject([{ kind: "quota" }]);
    });
  });

  describe("failures", () => {
    context.needs("failure control", "are operation errors that say whether to repeat", async () => {
      for (const [code, retry] of [
        ["throttled", "later"],
        ["unauthorized", "never"],
        ["unavailable", "later"],
      ] as const) {
        context.subject().failNext!("launch", code);
        const request = context.fresh();
        await expect(context.subject().cloud.launch(request)).rejects.toMatchObject({
          name: "OperationError",
          code,
          retry,
        });
        expect(await context.tagged(request)).toEqual([]);
        context.subject().failNext!("findByTags", code);
        await expect(context.subject().cloud.findByTags({ test: "x" })).rejects.toMatchObject({ code, retry });
      }
    });
  });
}
