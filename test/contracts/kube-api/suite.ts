// One suite of HTTP requests and expected answers. It knows nothing of which server answers: `npm test` runs it on the embedded
// Kubernetes API, test/cluster on a real kube-apiserver, and so the first is held to the second.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Case, Step } from "./case.ts";
import { applyCases } from "./cases/apply.ts";
import { creationCases } from "./cases/creation.ts";
import { customCases } from "./cases/custom.ts";
import { definitionCases } from "./cases/definitions.ts";
import { deletionCases } from "./cases/deletion.ts";
import { evictionCases } from "./cases/evictions.ts";
import { kindCases } from "./cases/kinds.ts";
import { listCases } from "./cases/lists.ts";
import { ownershipCases } from "./cases/ownership.ts";
import { patchCases } from "./cases/patches.ts";
import { placementCases } from "./cases/placement.ts";
import { podCases } from "./cases/pods.ts";
import { rootCases } from "./cases/roots.ts";
import { subresourceCases } from "./cases/subresources.ts";
import { tableCases } from "./cases/tables.ts";
import { updateCases } from "./cases/updates.ts";
import { watchCases } from "./cases/watches.ts";
import { widgets } from "./documents.ts";
import { type Answer, type Connection, openStream, type Sent, sendOnce } from "./request.ts";

export interface SuiteConnection extends Connection {
  close(): Promise<void>;
}

export interface SuiteOptions {
  /** Whether garbage collection and namespace deletion are at work beside the server. */
  controllers: boolean;
}

export const suites: readonly (readonly [string, readonly Case[]])[] = [
  ["discovery, health and authentication", rootCases],
  ["creating", creationCases],
  ["kinds and their defaults", kindCases],
  ["updating", updateCases],
  ["patching", patchCases],
  ["server-side apply", applyCases],
  ["field ownership", ownershipCases],
  ["listing", listCases],
  ["tables and metadata", tableCases],
  ["watching", watchCases],
  ["deleting", deletionCases],
  ["pods", podCases],
  ["placing pods", placementCases],
  ["evicting", evictionCases],
  ["status and scale", subresourceCases],
  ["custom resources", customCases],
  ["definitions of custom resources", definitionCases],
];

const patienceMs = 10_000;
const pollMs = 100;

function filled(value: unknown, names: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === "string") {
    const whole = /^\{(\w+)\}$/.exec(value);
    if (whole !== null && names.has(whole[1]!)) return names.get(whole[1]!);
    return value.replace(/\{(\w+)\}/g, (text, name: string) => (names.has(name) ? String(names.get(name)) : text));
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, names));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [String(filled(key, names)), filled(part, names)]),
  );
}

function valueAt(root: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((here, step) => (here as Record<string, unknown> | undefined)?.[step], root);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requestOf(step: Step, names: ReadonlyMap<string, unknown>, token: string): Sent {
  const [method = "", path = ""] = step.send.split(" ", 2);
  const headers: Record<string, string> = {
    accept: step.accept ?? "application/json",
    "user-agent": step.agent ?? "suite/1.0",
  };
  const bearer = step.token ?? token;
  if (bearer !== "") headers.authorization = `Bearer ${bearer}`;
  const sent: Sent = { method: method === "WATCH" ? "GET" : method, path: String(filled(path, names)), headers };
  if (step.body === undefined) return sent;
  headers["content-type"] = step.type ?? "application/json";
  const body = filled(step.body, names);
  return { ...sent, body: typeof body === "string" ? body : JSON.stringify(body) };
}

function check(step: Step, answer: Answer, names: Map<string, unknown>): void {
  const document = parsed(answer.text);
  const where = `${step.send}\n${answer.text.slice(0, 1500)}`;
  expect(answer.status, where).toBe(step.status);
  if (step.reason !== undefined) expect(valueAt(document, "reason"), where).toBe(step.reason);
  if (step.shape !== undefined) expect(document, where).toMatchObject(filled(step.shape, names) as object);
  for (const path of step.absent ?? []) expect(valueAt(document, path), `${path} in ${where}`).toBeUndefined();
  if (typeof step.text === "string") expect(answer.text, where).toContain(filled(step.text, names));
  else if (step.text !== undefined) expect(answer.text, where).toMatch(step.text);
  if (step.header !== undefined) expect(String(answer.headers[step.header[0]]), where).toMatch(step.header[1]);
  for (const [name, path] of Object.entries(step.keep ?? {})) {
    const value = valueAt(document, path);
    expect(value, `${path} to keep from ${where}`).toBeDefined();
    names.set(name, value);
  }
}

async function watch(connection: Connection, step: Step, names: Map<string, unknown>): Promise<void> {
  const stream = await openStream(connection, requestOf(step, names, connection.token));
  try {
    expect(stream.status, step.send).toBe(step.status);
    for (const inner of step.during ?? []) await run(connection, inner, names);
    for (const event of step.events ?? []) {
      const next = await stream.next();
      expect(next, `an event of ${step.send}`).toMatchObject(filled(event, names) as object);
    }
  } finally {
    stream.close();
  }
}

async function run(connection: Connection, step: Step, names: Map<string, unknown>): Promise<void> {
  if (step.send.startsWith("WATCH ")) return watch(connection, step, names);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await sendOnce(connection, requestOf(step, names, connection.token));
    try {
      check(step, answer, names);
      return;
    } catch (error) {
      if (step.eventually !== true || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}

const makeDefinition: readonly Step[] = [
  { send: "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: widgets, status: 201 },
  { send: "GET /apis/suite.example.com/v1/namespaces/default/widgets", status: 200, eventually: true },
  {
    send: "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.suite.example.com",
    status: 200,
    text: '"Established"',
    eventually: true,
  },
];

/** Registers the suite with vitest. `connect` is called once; its `close` at the end. */
export function runKubeApiSuite(name: string, connect: () => Promise<SuiteConnection>, options: SuiteOptions): void {
  describe(`the Kubernetes API of ${name}`, () => {
    let connection: SuiteConnection;
    let count = 0;
    beforeAll(async () => {
      connection = await connect();
      for (const step of makeDefinition) await run(connection, step, new Map());
    });
    afterAll(async () => {
      await connection?.close();
    });
    for (const [title, cases] of suites) {
      describe(title, () => {
        for (const one of cases) {
          const left = one.needs === "controllers" && !options.controllers;
          const title = left
            ? `${one.title} (skipped: no garbage collection or namespace controller runs here)`
            : one.title;
          it.skipIf(left)(title, async () => {
            const ns = `suite-${++count}`;
            const names = new Map<string, unknown>([["ns", ns]]);
            const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: ns } };
            await run(connection, { send: "POST /api/v1/namespaces", body: namespace, status: 201 }, names);
            for (const step of one.steps) await run(connection, step, names);
          });
        }
      });
    }
  });
}
