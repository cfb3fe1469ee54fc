import { describe, expect, it } from "vitest";
import { createTrim } from "../../relay/trim/index.ts";
import { createView } from "../../relay/view.ts";
import { startReflector } from "../../relay/watch/reflector.ts";
import { sinkInto } from "../../relay/watch/sink.ts";
import type { StreamHandlers } from "../../relay/watch/stream.ts";
import type { KubeAnswer, KubeRequest } from "../../shared/adapters/kube/index.ts";
import { OperationError } from "../../shared/ports/index.ts";
import { handClock } from "../local/aws/hand-clock.ts";
import { quietLog } from "./quiet-log.ts";
import { passing, settled } from "./settle.ts";

function budget(name: string, resourceVersion: string, disruptionsAllowed = 1): object {
  const metadata = { name, namespace: "default", uid: `uid-${name}`, resourceVersion, generation: 1 };
  return { metadata, spec: {}, status: { disruptionsAllowed } };
}

function page(items: readonly object[], resourceVersion: string, next?: string): KubeAnswer {
  const metadata = { resourceVersion, ...(next === undefined ? {} : { continue: next }) };
  return { status: 200, body: { metadata, items } };
}

interface Opened {
  readonly query: Readonly<Record<string, string>>;
  readonly on: StreamHandlers;
  isClosed: boolean;
}

/** A reflector of budgets against a server that answers as a test says. */
function scripted(...answers: (KubeAnswer | OperationError)[]) {
  const clock = handClock();
  const log = quietLog();
  const view = createView();
  const requests: KubeRequest[] = [];
  const watches: Opened[] = [];
  const again: string[] = [];
  const reflector = startReflector({
    kind: "PodDisruptionBudget",
    path: "/budgets",
    async send(request) {
      requests.push(request);
      const answer = answers.shift() ?? page([], "1");
      if (answer instanceof OperationError) throw answer;
      if (answer.status !== 200 || request.reader === undefined) return answer;
      if (answer.body !== undefined) request.reader.take(Buffer.from(JSON.stringify(answer.body)));
      return { ...answer, body: request.reader.end() };
    },
    openStream(_, query, on) {
      const opened = { query, on, isClosed: false };
      watches.push(opened);
      return () => {
        opened.isClosed = true;
      };
    },
    sink: sinkInto(view, "PodDisruptionBudget", createTrim(), log),
    clock,
    random: () => 0,
    log,
    onAgain: (_, what) => again.push(what),
  });
  return {
    clock,
    log,
    view,
    requests,
    watches,
    again,
    reflector,
    names: () => [...view.all("PodDisruptionBudget")].map(({ name }) => name).sort(),
    last: () => watches.at(-1)!,
  };
}

describe("a reflector", () => {
  it("lists in pages of 500, then watches from there with bookmarks and an end", async () => {
    const one = scripted(page([budget("a", "3")], "10", "next"), page([budget("b", "4")], "10"));
    await settled();
    expect(one.requests.map(({ query }) => query)).toEqual([{ limit: "500" }, { limit: "500", continue: "next" }]);
    expect(one.names()).toEqual(["a", "b"]);
    expect(one.last().query).toEqual({
      watch: "1",
      resourceVersion: "10",
      allowWatchBookmarks: "true",
      timeoutSeconds: "300",
    });
    expect(one.view.resourceVersion()).toBe("10");
    one.last().on.onOpen();
    expect(one.reflector.state()).toBe("watching");
    one.reflector.stop();
  });

  it("goes on where it was after a disconnect, bookmarks included, without listing again", async () => {
    const one = scripted();
    await settled();
    one.last().on.onOpen();
    one.last().on.onLine({ type: "ADDED", object: budget("a", "12") });
    one.last().on.onLine({ type: "BOOKMARK", object: { metadata: { resourceVersion: "20" } } });
    one.last().on.onEnd({ failure: "the connection was cut" });
    await passing(one.clock, 1_000);
    expect(one.watches).toHaveLength(2);
    expect(one.last().query.resourceVersion).toBe("20");
    expect(one.requests).toHaveLength(1);
    expect(one.names()).toEqual(["a"]);
    expect(one.again).toEqual(["watch"]);
    one.reflector.stop();
  });

  it.each([
    [
      "as an error in the stream",
      (on: StreamHandlers) => on.onLine({ type: "ERROR", object: { code: 410, message: "too old" } }),
    ],
    ["as an answer", (on: StreamHandlers) => on.onEnd({ failure: "gone", status: 410 })],
  ])("lists again when its version is too old (%s), and finds what is gone", async (_, expire) => {
    const one = scripted(
      page([budget("a", "1"), budget("b", "1")], "5"),
      page([budget("b", "1"), budget("c", "90")], "99"),
    );
    await settled();
    const gone: string[] = [];
    one.view.onChange("PodDisruptionBudget", (before, after) => {
      if (after === undefined) gone.push(before!.name);
    });
    expire(one.last().on);
    await settled();
    expect(one.names()).toEqual(["b", "c"]);
    expect(gone).toEqual(["a"]);
    expect(one.last().query.resourceVersion).toBe("99");
    expect(one.again).toEqual(["list"]);
    one.reflector.stop();
  });

  it("takes a watch for dead that is silent longer than bookmarks allow", async () => {
    const one = scripted();
    await settled();
    const first = one.last();
    first.on.onOpen();
    await passing(one.clock, 80_000, 10_000);
    first.on.onLine({ type: "BOOKMARK", object: { metadata: { resourceVersion: "2" } } });
    await passing(one.clock, 80_000, 10_000);
    expect(first.isClosed).toBe(false);
    await passing(one.clock, 20_000);
    expect(first.isClosed).toBe(true);
    expect(one.watches).toHaveLength(2);
    expect(one.last().query.resourceVersion).toBe("2");
    one.reflector.stop();
  });

  it("waits longer after each failure, half a minute at most, and as long as a throttling server asks", async () => {
    const unreachable = new OperationError("no", { retry: "later", code: "unreachable" });
    const one = scripted(...Array.from({ length: 9 }, () => unreachable), {
      status: 429,
      body: { message: "slow down" },
      retryAfterMs: 90_000,
    });
    await settled();
    const waits = () => one.log.lines.filter(({ level }) => level === "warn").map(({ fields }) => fields.retryInMs);
    await passing(one.clock, 200_000, 250);
    expect(waits()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 90_000]);
    expect(one.reflector.state()).toBe("failing");
    await passing(one.clock, 90_000, 1_000);
    expect(one.watches).toHaveLength(1);
    one.reflector.stop();
  });

  it("does not spin when a server ends every watch at once", async () => {
    const one = scripted();
    await settled();
    for (let at = 0; at < 100; at++) {
      if (!one.last().isClosed) one.last().on.onEnd({});
      await passing(one.clock, 100, 100);
    }
    expect(one.watches.length).toBeLessThan(8);
    one.reflector.stop();
  });

  it("does not spin when a server calls every version too old", async () => {
    const one = scripted();
    await settled();
    for (let at = 0; at < 100; at++) {
      if (!one.last().isClosed) one.last().on.onEnd({ failure: "gone", status: 410 });
      await passing(one.clock, 100, 100);
    }
    expect(one.requests.length).toBeLessThan(8);
    one.reflector.stop();
  });

  it("lists again when five watches in a row brought nothing: the server may not know the version", async () => {
    const one = scripted(page([budget("a", "1")], "900"), page([budget("b", "1")], "7"));
    await settled();
    for (let failed = 0; failed < 5; failed++) {
      expect(one.requests).toHaveLength(1);
      one.last().on.onEnd({ failure: "Too large resource version", status: 504 });
      await passing(one.clock, 10_000);
    }
    expect(one.names()).toEqual(["b"]);
    expect(one.last().query.resourceVersion).toBe("7");
    one.reflector.stop();
  });

  it("opens the next watch at once when one has come to its end in good order", async () => {
    const one = scripted();
    await settled();
    one.last().on.onOpen();
    await passing(one.clock, 100_000, 10_000);
    one.last().on.onEnd({});
    await settled();
    expect(one.watches).toHaveLength(2);
    one.reflector.stop();
  });

  it("waits for a kind that isn't served yet, and says so once", async () => {
    const missing: KubeAnswer = { status: 404, body: { message: "not found" } };
    const one = scripted(missing, missing, missing, page([budget("a", "1")], "5"));
    await settled();
    expect(one.reflector.state()).toBe("unserved");
    await passing(one.clock, 60_000);
    expect(one.names()).toEqual(["a"]);
    expect(one.log.lines.filter(({ level }) => level !== "debug")).toHaveLength(1);
    one.reflector.stop();
  });

  it("begins again when a list expires while it is read", async () => {
    const one = scripted(
      page([budget("a", "1")], "5", "next"),
      { status: 410, body: {} },
      page([budget("b", "1")], "7"),
    );
    await passing(one.clock, 2_000);
    expect(one.names()).toEqual(["b"]);
    one.reflector.stop();
  });

  it.each<[string, unknown]>([
    ["nothing at all", undefined],
    ["null", null],
    ["items that are no list", { metadata: { resourceVersion: "1" }, items: {} }],
    ["a list without a version", { items: [] }],
    ["a list whose version is no text", { metadata: { resourceVersion: 5 }, items: [] }],
    ["a list without items", { metadata: { resourceVersion: "1" } }],
  ])("waits and lists again when the answer is %s", async (_, body) => {
    const one = scripted({ status: 200, body }, page([budget("a", "3")], "10"));
    await settled();
    expect([one.requests.length, one.watches.length]).toEqual([1, 0]);
    await passing(one.clock, 500);
    expect([one.names(), one.watches.length]).toEqual([["a"], 1]);
  });

  it.each<[string, KubeAnswer]>([
    ["of another status", { ...page([], "9"), status: 203 }],
    ["that leads elsewhere", { status: 301, body: undefined }],
    ["without items", { status: 200, body: { metadata: { resourceVersion: "9" } } }],
  ])("takes an answer %s for no empty cluster", async (_, answer) => {
    const one = scripted(page([budget("a", "1")], "5"), answer);
    await settled();
    one.last().on.onLine({ type: "ERROR", object: { code: 410 } });
    await settled();
    expect([one.requests.length, one.names()]).toEqual([2, ["a"]]);
    one.reflector.stop();
  });

  it("does not follow a list that goes on without anything new", async () => {
    const same = page([budget("a", "3")], "10", "next");
    const one = scripted(same, same, same, same);
    await settled();
    expect(one.requests).toHaveLength(2);
  });

  it("waits five minutes at most, whatever a server asks for", async () => {
    const one = scripted({ status: 429, body: {}, retryAfterMs: 86_400_000 });
    await settled();
    await passing(one.clock, 5 * 60_000);
    expect(one.requests).toHaveLength(2);
  });

  it("names an object that cannot be read, once, and leaves it out", async () => {
    const bad = { metadata: { name: "bad", namespace: "x", uid: "u" }, status: { disruptionsAllowed: "many" } };
    const one = scripted(page([bad, budget("a", "1")], "5"));
    await settled();
    one.last().on.onLine({ type: "MODIFIED", object: bad });
    expect(one.names()).toEqual(["a"]);
    const { message, fields } = one.log.lines.find(({ level }) => level === "warn")!;
    expect([message, fields.kind, fields.name, fields.field]).toEqual([
      "object left out",
      "PodDisruptionBudget",
      "x/bad",
      "status.disruptionsAllowed",
    ]);
    expect(one.log.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
    one.reflector.stop();
  });

  it("ends when it is stopped, whatever it is doing", async () => {
    const one = scripted(new OperationError("no", { retry: "later", code: "unreachable" }));
    await settled();
    one.reflector.stop();
    await passing(one.clock, 60_000);
    expect(one.requests).toHaveLength(1);
    const other = scripted();
    await settled();
    other.reflector.stop();
    await passing(other.clock, 600_000, 10_000);
    expect(other.last().isClosed).toBe(true);
    expect(other.watches).toHaveLength(1);
  });
});
