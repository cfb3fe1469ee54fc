// What selectors find.
import { describe, expect, it } from "vitest";
import type { Cloud } from "../../../shared/ports/index.ts";
import type { Context } from "./subject.ts";

export function resolveCases(context: Context): void {
  describe("resolving", () => {
    it("finds subnets by tag, by any value of a tag and by id; terms add up", async () => {
      const { a, b, c } = context.subject().subnets;
      const find = async (subnets: Parameters<Cloud["resolveNetwork"]>[0]["subnets"]): Promise<string[]> =>
        (await context.subject().cloud.resolveNetwork({ subnets, securityGroups: [] })).subnets.map((s) => s.id);
      expect(await find([{ tags: { "karpenter.sh/discovery": "demo" } }])).toEqual([a, b].sort());
      expect(await find([{ tags: { "karpenter.sh/discovery": "*" } }])).toEqual([a, b].sort());
      expect(await find([{ tags: { "karpenter.sh/discovery": "d*o" } }])).toEqual([a, b].sort());
      expect(await find([{ tags: { "karpenter.sh/discovery": "other" } }])).toEqual([]);
      expect(await find([{ tags: { "karpenter.sh/discovery": "demo" } }, { id: c }, { id: a }])).toEqual(
        [a, b, c].sort(),
      );
      expect(await find([{ tags: { "karpenter.sh/discovery": "demo" }, id: c }])).toEqual([]);
      expect(await find([{ id: "subnet-0123456789abcdef0" }])).toEqual([]);
      expect(await find([{}])).toEqual([]);
    });

    it("tells zone, zone id and free addresses of a subnet, which fall as instances are launched", async () => {
      const look = async () =>
        (
          await context
            .subject()
            .cloud.resolveNetwork({ subnets: [{ id: context.subject().subnets.b }], securityGroups: [] })
        ).subnets[0]!;
      const before = await look();
      expect(before).toMatchObject({ zone: "us-east-1b", zoneId: expect.stringMatching(/^use1-az\d$/) });
      const { ids } = await context.launched({
        count: 2,
        overrides: [context.override("b")],
      });
      expect((await look()).freeAddresses).toBe(before.freeAddresses - 2);
      await context.subject().cloud.terminate(ids);
    });

    it("finds security groups by tag, name and id", async () => {
      const find = async (securityGroups: Parameters<Cloud["resolveNetwork"]>[0]["securityGroups"]) =>
        (await context.subject().cloud.resolveNetwork({ subnets: [], securityGroups })).securityGroups;
      const nodes = [{ id: context.subject().securityGroup, name: "demo-nodes" }];
      expect(await find([{ tags: { "karpenter.sh/discovery": "demo" } }])).toEqual(nodes);
      expect(await find([{ name: "demo-nodes" }])).toEqual(nodes);
      expect(await find([{ id: context.subject().securityGroup }, { name: "demo-nodes" }])).toEqual(nodes);
      expect(await find([{ name: "demo-n*" }])).toEqual(nodes);
      expect(await find([{ name: "nodes" }])).toEqual([]);
      expect(await find([{}])).toEqual([]);
      expect(await find([])).toEqual([]);
    });

    it("finds images by id and by name pattern", async () => {
      const { id, name: imageName } = context.subject().image;
      const [found] = await context.subject().cloud.findImages([{ id }]);
      expect(found).toMatchObject({ id, name: imageName, architecture: "x86_64", deprecated: false });
      const byName = await context.subject().cloud.findImages([{ name: `${imageName.slice(0, -2)}*` }]);
      expect(byName.map((i) => i.id)).toContain(id);
      expect(await context.subject().cloud.findImages([{ id: "ami-0123456789abcdef0" }])).toEqual([]);
      expect(await context.subject().cloud.findImages([{ id, name: "no-such-name" }])).toEqual([]);
      expect(await context.subject().cloud.findImages([])).toEqual([]);
    });
  });
}
