// The HTTP face: authentication, the roots that are no resources, and one route for everything that is.
import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError, badRequest, methodNotAllowed } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import type { JsonObject } from "../types.ts";
import { aggregated, apiGroup, apiGroupList, apiResourceList, apiVersions, groupsOf } from "./discovery.ts";
import { isTrue, readDocument, wantedOf } from "./negotiation.ts";
import { openApiV2, openApiV2Protobuf, openApiV2ProtobufType, openApiV3, openApiV3Index } from "./openapi.ts";
import { createReply, type Reply } from "./reply.ts";
import { serveResource } from "./resources.ts";
import { targetOf, unknownResource } from "./route.ts";
import { serveWatch } from "./watches.ts";

const version: JsonObject = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.3-timmerman",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2026-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "none",
  platform: "embedded/node",
};

const origin = "http://127.0.0.1";
const discoveryType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export interface HttpFace {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends every open watch. */
  endWatches: () => void;
}

interface Exchange {
  context: StoreContext;
  request: IncomingMessage;
  response: ServerResponse;
  reply: Reply;
  url: URL;
  /** The URL's path in its parts, decoded. */
  path: readonly string[];
  watches: Set<() => void>;
}

function unauthorized(): ApiError {
  return new ApiError(401, "Unauthorized", "Unauthorized");
}

function discovery(exchange: Exchange, legacy: boolean): void {
  const { context, request, reply } = exchange;
  if (wantedOf(request.headers.accept).view === "discovery") {
    reply.document(200, aggregated(context.registry, legacy), false, discoveryType);
  } else if (legacy) reply.document(200, apiVersions(request.headers.host ?? ""));
  else reply.document(200, apiGroupList(context.registry));
}

function serveOpenApi(exchange: Exchange, path: readonly string[]): void {
  const { registry } = exchange.context;
  const [kind, root, ...rest] = path;
  if (kind === "v2" && root === undefined) {
    const protobuf = exchange.request.headers.accept?.includes("protobuf") === true;
    if (protobuf) exchange.reply.text(200, openApiV2Protobuf(), openApiV2ProtobufType);
    else exchange.reply.document(200, openApiV2(registry));
    return;
  }
  if (kind !== "v3") throw unknownResource();
  if (root === undefined) {
    exchange.reply.document(200, openApiV3Index(registry));
    return;
  }
  const [group = "", groupVersion = ""] = root === "api" ? ["", rest[0]] : rest;
  const document = openApiV3(registry, group, groupVersion);
  if (document === undefined) throw unknownResource();
  exchange.reply.document(200, document);
}

/** Answers "allowed" to everyone: there is one user, and it may do everything. */
async function accessReview(exchange: Exchange): Promise<void> {
  const body = await readDocument(exchange.request);
  const review = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  exchange.reply.document(201, { ...review, status: { allowed: true } });
}

function paths(exchange: Exchange): JsonObject {
  const groups = [...groupsOf(exchange.context.registry)].flatMap(([group, versions]) =>
    group === "" ? [] : [`/apis/${group}`, ...[...versions.keys()].map((v) => `/apis/${group}/${v}`)],
  );
  const fixed = ["/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"];
  return { paths: [...fixed, ...groups].sort() };
}

async function route(exchange: Exchange): Promise<void> {
  const { context, request, response, reply, url, path, watches } = exchange;
  const [root, ...rest] = path;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (root === undefined && reads) return reply.document(200, paths(exchange));
  if (root === "version" && reads) return reply.document(200, version);
  if (root !== undefined && ["healthz", "readyz", "livez"].includes(root)) return reply.text(200, "ok", "text/plain");
  if (root === "openapi") return serveOpenApi(exchange, rest);
  if (root !== "api" && root !== "apis") return reply.text(404, "404 page not found\n", "text/plain");
  if (rest.length === 0) return discovery(exchange, root === "api");
  const group = root === "api" ? "" : rest[0]!;
  const groupVersion = root === "api" ? rest[0] : rest[1];
  const below = root === "api" ? rest.slice(1) : rest.slice(2);
  if (groupVersion === undefined) {
    const document = apiGroup(context.registry, group);
    if (document === undefined) throw unknownResource();
    return reply.document(200, document);
  }
  if (group === "authorization.k8s.io" && below[0] === "selfsubjectaccessreviews" && request.method === "POST") {
    return accessReview(exchange);
  }
  if (below.length === 0) {
    const document = apiResourceList(context.registry, group, groupVersion);
    if (document === undefined) throw unknownResource();
    return reply.document(200, document);
  }
  const target = targetOf(context.registry, group, groupVersion, below);
  const query = url.searchParams;
  if (request.method === "GET" && isTrue(query.get("watch")) && target.name === undefined) {
    const wanted = wantedOf(request.headers.accept);
    const end = serveWatch(context, target, wanted, query, request, response);
    watches.add(end);
    response.on("close", () => watches.delete(end));
    return;
  }
  if (!["GET", "POST", "PUT", "PATCH", "DELETE"].includes(request.method ?? "")) throw methodNotAllowed();
  await serveResource({ context, request, response, reply, query, target });
}

/** What a request asks for; undefined: no path on this server, or one that can't be decoded. */
function readTarget(target: string): Pick<Exchange, "url" | "path"> | undefined {
  // Two slashes would begin another host's name.
  if (!/^\/(?!\/)/.test(target) || !URL.canParse(target, origin)) return undefined;
  const url = new URL(target, origin);
  try {
    return { url, path: url.pathname.split("/").flatMap((part) => (part === "" ? [] : [decodeURIComponent(part)])) };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Probes answer everyone, as on a cluster; everything else wants the token. */
function isPublic(pathname: string): boolean {
  return /^\/(healthz|livez|readyz|version)(\/|$)/.test(pathname);
}

/** @param report gets errors that are a fault of this server and no answer of the API. */
export function createHttpFace(context: StoreContext, token: string, report: (error: unknown) => void): HttpFace {
  const watches = new Set<() => void>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const reply = createReply(response, report);
    const target = readTarget(request.url ?? "/");
    if (target === undefined) {
      request.resume();
      reply.failure(badRequest("the request's target is no path of this server"));
      return;
    }
    const { url, path } = target;
    if (!isPublic(url.pathname) && request.headers.authorization !== `Bearer ${token}`) {
      request.resume();
      reply.failure(unauthorized());
      return;
    }
    route({ context, request, response, reply, url, path, watches }).catch((error: unknown) => {
      request.resume();
      reply.failure(error);
    });
  };
  return {
    handle,
    endWatches: () => {
      for (const end of [...watches]) end();
    },
  };
}
