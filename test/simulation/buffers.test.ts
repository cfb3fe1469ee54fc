// CapacityBuffers over time: room is made before pods come, is taken by them, and is made again.
import { describe, expect, it } from "vitest";
import { podSpec } from "../core/scheduling/fixtures.ts";
import { createWorld, type World } from "./world.ts";

const minute = 60_000;
const asked = { cpu: 1_500, memory: 2 ** 31, pods: 1 };

const provisioning = (world: World) =>
  world.cluster.conditionsOf("CapacityBuffer", "default/spare").find(({ type }) => type === "Provisioning");
const hasRoom = (world: World) => provisioning(world)?.status === "True";
const running = (world: World) => world.cluster.pods.list().filter(({ phase }) => phase === "Running").length;
const ready = (world: World) =>
  world.cluster.nodes
    .list()
    .filter(({ conditions }) => conditions.some((c) => c.type === "Ready" && c.status === "True")).length;

describe("a CapacityBuffer in a world without sockets", () => {
  it("has its room before pods come, gives it to them at once, and has it again soon", async () => {
    const world = await createWorld({ gates: { capacityBuffer: true } });
    const strategy = "buffer.x-k8s.io/active-capacity";
    const spare = { namespace: "default", name: "spare", generation: 1, strategy, replicas: 2 };
    world.cluster.capacityBuffers.put({ ...spare, template: podSpec({ requests: asked }) });
    expect(await world.runUntil(() => hasRoom(world) && ready(world) > 0, 5 * minute)).toBe(true);
    const before = ready(world);

    world.life.workloads.push({ name: "web", replicas: 2, pod: { requests: asked } });
    expect(await world.runUntil(() => running(world) === 2, 5_000)).toBe(true);
    expect(await world.runUntil(() => !hasRoom(world) || ready(world) > before, minute / 2)).toBe(true);
    expect(await world.runUntil(() => hasRoom(world) && ready(world) > before, 5 * minute)).toBe(true);
    expect(world.cluster.events.filter(({ name }) => name.includes("buffer:"))).toEqual([]);

    await world.runFor(10 * minute);
    expect(ready(world)).toBeGreaterThan(before);
    world.cluster.capacityBuffers.remove("default/spare");
    expect(await world.runUntil(() => ready(world) <= before, 10 * minute)).toBe(true);
    expect(running(world)).toBe(2);
  });
});
