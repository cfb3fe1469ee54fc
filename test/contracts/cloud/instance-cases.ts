// Instances: found, terminated, tagged.
import { describe, expect, it } from "vitest";
import type { Context } from "./subject.ts";

export function instanceCases(context: Context): void {
  describe("finding instances", () => {
    it("by tags takes all tags, exactly", async () => {
      const { request, ids } = await context.launched({ tags: { kind: "a*b?", other: "1" } });
      const tags = { test: request.clientToken };
      expect((await context.subject().cloud.findByTags({ ...tags, kind: "a*b?" })).map((i) => i.id)).toEqual(ids);
      expect(await context.subject().cloud.findByTags({ ...tags, kind: "a*b?", other: "2" })).toEqual([]);
      const twin = await context.launched({ tags: { kind: "aXXbY" } });
      expect(await context.subject().cloud.findByTags({ test: twin.request.clientToken, kind: "a*b?" })).toEqual([]);
    });

    it("by tags without any tag is refused: it would give the whole account", async () => {
      await expect(context.subject().cloud.findByTags({})).rejects.toMatchObject({
        code: "bad-request",
        retry: "never",
      });
    });

    it("by ids gives those that exist, whatever else is asked for", async () => {
      const { ids } = await context.launched({ count: 2 });
      const found = await context.subject().cloud.findByIds([...ids, "i-0123456789abcdef0"]);
      expect(found.map((i) => i.id).sort()).toEqual(ids);
      expect(await context.subject().cloud.findByIds(["i-0123456789abcdef0"])).toEqual([]);
      expect(await context.subject().cloud.findByIds([])).toEqual([]);
    });

    it("by ids takes more than one call can", async () => {
      const { request, ids } = await context.launched({ count: 120 });
      expect(ids).toHaveLength(120);
      expect((await context.subject().cloud.findByIds(ids)).map((i) => i.id).sort()).toEqual(ids);
      expect(await context.subject().cloud.terminate(ids)).toEqual({ notFound: [] });
      context.subject().settle?.();
      expect(await context.tagged(request)).toEqual([]);
    });
  });

  describe("terminating", () => {
    it("ends instances, which are then found only when asked for", async () => {
      const { request, ids } = await context.launched({ count: 2 });
      expect(await context.subject().cloud.terminate(ids)).toEqual({ notFound: [] });
      context.subject().settle?.();
      expect(await context.tagged(request)).toEqual([]);
      const ended = await context
        .subject()
        .cloud.findByTags({ test: request.clientToken }, { includeTerminated: true });
      expect(ended.map((i) => [i.id, i.state])).toEqual(ids.map((id) => [id, "terminated"]));
    });

    it("can be repeated", async () => {
      const { ids } = await context.launched();
      await context.subject().cloud.terminate(ids);
      expect(await context.subject().cloud.terminate(ids)).toEqual({ notFound: [] });
    });

    it("tells which ids are unknown and ends the others", async () => {
      const { request, ids } = await context.launched({ count: 3 });
      const unknown = ["i-0123456789abcdef0", "i-0fedcba9876543210"];
      const result = await context.subject().cloud.terminate([ids[0]!, unknown[0]!, ids[1]!, unknown[1]!, ids[2]!]);
      expect([...result.notFound].sort()).toEqual(unknown);
      context.subject().settle?.();
      expect(await context.tagged(request)).toEqual([]);
    });

    it("of nothing does nothing", async () => {
      expect(await context.subject().cloud.terminate([])).toEqual({ notFound: [] });
    });
  });

  describe("tagging", () => {
    it("adds and overwrites", async () => {
      const { request, ids } = await context.launched();
      await context.subject().cloud.tag(ids[0]!, { Name: "node-1", launch: "changed" });
      await context.subject().cloud.tag(ids[0]!, { Name: "node-2" });
      const [instance] = await context.subject().cloud.findByIds(ids);
      expect(instance!.tags).toMatchObject({ ...request.tags, Name: "node-2", launch: "changed" });
    });

    context.needs("errors for tags of unknown instances", "of an unknown instance says not-found", async () => {
      await expect(context.subject().cloud.tag("i-0123456789abcdef0", { a: "b" })).rejects.toMatchObject({
        code: "not-found",
      });
    });
  });
}
