import { describe, expect, it } from "vitest";
import { createSeededIds } from "../../../local/kube/ids.ts";
import { createApiServer } from "../../../local/kube/server.ts";
import { ApiError } from "../../../local/kube/status.ts";
import type { KubeObject, ObjectStore, WatchEvent } from "../../../local/kube/types.ts";

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

function world(options: { seed?: number; historyEvents?: number } = {}): {
  store: ObjectStore;
  pass: (ms: number) => void;
} {
  let nowMs = startMs;
  const history = options.historyEvents === undefined ? {} : { historyEvents: options.historyEvents };
  const server = createApiServer({ clock: { now: () => nowMs }, ids: createSeededIds(options.seed ?? 1), ...history });
  return {
    store: server.store,
    pass: (ms) => {
      nowMs += ms;
    },
  };
}

const namespace = "default";

function pod(name: string, spec: Record<string, unknown> = {}): KubeObject {
  const containers = [{ name: "main", image: "registry.example/app:1" }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: "web" } },
    spec: { containers, ...spec },
  };
}

function configMap(name: string, more: Partial<KubeObject["metadata"]> = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, ...more }, data: { key: "value" } };
}

function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.reason}`;
    throw error;
  }
  return "no error";
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the store in process", () => {
  it("takes time and ids from outside, so that a seed replays", () => {
    const run = (seed: number): unknown => {
      const { store, pass } = world({ seed });
      store.create("pods", { ...pod(""), metadata: { generateName: "web-", namespace } });
      pass(minuteMs);
      store.create("configmaps", configMap("one"));
      return [store.list("pods").items, store.list("configmaps").items, store.resourceVersion()];
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
  });

  it("stamps objects in the world's time", () => {
    const { store, pass } = world();
    pass(90 * minuteMs + 400);
    expect(store.create("configmaps", configMap("one")).metadata.creationTimestamp).toBe("2026-01-01T01:30:00Z");
  });

  it("hands out frozen objects and changes private copies", () => {
    const { store } = world();
    const made = store.create("configmaps", configMap("one"));
    expect(() => {
      made.data.key = "changed";
    }).toThrow(TypeError);
    store.modify("configmaps", { name: "one", namespace }, (draft) => {
      draft.data.key = "changed";
    });
    expect(made.data.key).toBe("value");
    expect(store.get("configmaps", { name: "one", namespace }).data.key).toBe("changed");
  });

  it("fails with the API server's reasons", () => {
    const { store } = world();
    const key = { name: "one", namespace };
    expect(reasonOf(() => store.get("configmaps", key))).toBe("404 NotFound");
    expect(store.find("configmaps", key)).toBeUndefined();
    const made = store.create("configmaps", configMap("one"));
    expect(reasonOf(() => store.create("configmaps", configMap("one")))).toBe("409 AlreadyExists");
    store.update("configmaps", { ...made, data: { key: "second" } });
    expect(reasonOf(() => store.update("configmaps", { ...made, data: { key: "third" } }))).toBe("409 Conflict");
    expect(reasonOf(() => store.create("pods", pod("p", { containers: [] })))).toBe("422 Invalid");
    expect(reasonOf(() => store.list("gadgets.example.com"))).toBe("404 NotFound");
  });

  it("changes nothing in a dry run", () => {
    const { store } = world();
    const before = store.resourceVersion();
    store.create("configmaps", configMap("one"), { dryRun: true });
    expect(store.resourceVersion()).toBe(before);
  });

  it("forgets events an hour after they were last seen", () => {
    const { store, pass } = world();
    const event = (name: string): KubeObject => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: { kind: "Pod", name: "p", namespace },
      reason: "Tried",
    });
    store.create("events", event("old"));
    pass(61 * minuteMs);
    for (let i = 0; i < 250; i++) store.create("events", event(`new-${i}`));
    expect(store.find("events", { name: "old", namespace })).toBeUndefined();
    expect(store.find("events", { name: "new-0", namespace })).toBeDefined();
  });
});

describe("watches in process", () => {
  const names = (events: readonly WatchEvent[]): string[] =>
    events.map((e) => `${e.type} ${e.object.metadata.name ?? ""}`);

  it("call back after the write, in order, never inside it", async () => {
    const { store } = world();
    const seen: WatchEvent[] = [];
    store.watch("configmaps", {}, (event) => {
      seen.push(event);
      if (event.object.metadata.name === "a" && event.type === "ADDED")
        store.create("configmaps", configMap("from-inside"));
    });
    store.create("configmaps", configMap("a"));
    store.create("configmaps", configMap("b"));
    store.delete("configmaps", { name: "a", namespace });
    expect(seen).toEqual([]);
    await turn();
    expect(names(seen)).toEqual(["ADDED a", "ADDED b", "DELETED a", "ADDED from-inside"]);
    const revisions = seen.map((e) => Number(e.resourceVersion));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  it("begin with what is there on demand, then mark the end of it", async () => {
    const { store } = world();
    store.create("configmaps", configMap("a"));
    const seen: WatchEvent[] = [];
    const stop = store.watch("configmaps", { sendInitial: true, namespace }, (event) => seen.push(event));
    store.create("configmaps", configMap("b"));
    await turn();
    expect(names(seen)).toEqual(["ADDED a", "BOOKMARK ", "ADDED b"]);
    stop();
    store.create("configmaps", configMap("c"));
    await turn();
    expect(seen).toHaveLength(3);
  });

  it("follow selectors: a pod that is bound leaves the watch of unbound ones", async () => {
    const { store } = world();
    const seen: WatchEvent[] = [];
    store.watch("pods", { fieldSelector: "spec.nodeName=" }, (event) => seen.push(event));
    store.create("pods", pod("p"));
    store.bind({ name: "p", namespace }, "node-1");
    await turn();
    expect(names(seen)).toEqual(["ADDED p", "DELETED p"]);
  });

  it("resume from a revision, and say Expired once the history has moved on", async () => {
    const { store } = world({ historyEvents: 20 });
    const early = store.resourceVersion();
    store.create("configmaps", configMap("a"));
    const seen: WatchEvent[] = [];
    store.watch("configmaps", { resourceVersion: early }, (event) => seen.push(event));
    await turn();
    expect(names(seen)).toEqual(["ADDED a"]);
    for (let i = 0; i < 40; i++) store.create("configmaps", configMap(`many-${i}`));
    expect(reasonOf(() => store.watch("configmaps", { resourceVersion: early }, () => undefined))).toBe("410 Expired");
  });
});

describe("owners", () => {
  const owned = (name: string, owner: KubeObject): KubeObject =>
    configMap(name, {
      ownerReferences: [
        { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name!, uid: owner.metadata.uid! },
      ],
    });

  it("take a whole chain of dependents with them", async () => {
    const { store } = world();
    const top = store.create("configmaps", configMap("top"));
    const middle = store.create("configmaps", owned("middle", top));
    store.create("configmaps", owned("leaf", middle));
    store.delete("configmaps", { name: "top", namespace });
    expect(store.list("configmaps").items).toEqual([]);
  });

  it("that are two keep a dependent until both are gone", () => {
    const { store } = world();
    const one = store.create("configmaps", configMap("one"));
    const two = store.create("configmaps", configMap("two"));
    const child = owned("child", one);
    child.metadata.ownerReferences!.push(...owned("x", two).metadata.ownerReferences!);
    store.create("configmaps", child);
    store.delete("configmaps", { name: "one", namespace });
    expect(store.get("configmaps", { name: "child", namespace }).metadata.ownerReferences).toHaveLength(1);
    store.delete("configmaps", { name: "two", namespace });
    expect(store.find("configmaps", { name: "child", namespace })).toBeUndefined();
  });

  it("that are gone already take a late dependent at once", async () => {
    const { store } = world();
    const owner = store.create("configmaps", configMap("owner"));
    store.delete("configmaps", { name: "owner", namespace });
    store.create("configmaps", owned("late", owner));
    await turn();
    expect(store.find("configmaps", { name: "late", namespace })).toBeUndefined();
  });
});
