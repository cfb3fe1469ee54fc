// The verbs on resources and subresources.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, objectAt, stringAt } from "../json.ts";
import { jsonPatch, mergePatch } from "../patch/json-patch.ts";
import { badRequest, methodNotAllowed, notFound } from "../status.ts";
import type { StoreContext } from "../store/context.ts";
import { remove } from "../store/deletion.ts";
import { patch } from "../store/patches.ts";
import { bind, evict } from "../store/pods.ts";
import { readScale, writeScale } from "../store/scale.ts";
import { present } from "../store/versions.ts";
import { create, update } from "../store/writes.ts";
import { tableOf } from "../table/table.ts";
import type { Json, JsonObject, KubeObject, ObjectKey, UpdateOptions } from "../types.ts";
import { finalizeNamespace } from "./finalize.ts";
import { listPage, listText, metadataOnly } from "./lists.ts";
import {
  deleteOptions,
  isTrue,
  readDocument,
  readOptionalDocument,
  readPatch,
  type Wanted,
  wantedOf,
  writeOptions,
} from "./negotiation.ts";
import type { Reply } from "./reply.ts";
import { type Target, unknownResource } from "./route.ts";

export interface Call {
  context: StoreContext;
  request: IncomingMessage;
  response: ServerResponse;
  reply: Reply;
  query: URLSearchParams;
  target: Target;
}

function keyOfTarget(target: Target): ObjectKey {
  const name = target.name ?? "";
  return target.namespace === undefined ? { name } : { name, namespace: target.namespace };
}

function successStatus(details: JsonObject): JsonObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** An object in the view that was asked for. */
function shown(call: Call, wanted: Wanted, object: KubeObject): JsonObject {
  if (wanted.view === "metadata" || wanted.view === "metadataList") return metadataOnly(object);
  if (wanted.view !== "table") return object as unknown as JsonObject;
  const metadata: JsonObject = { resourceVersion: object.metadata.resourceVersion ?? "" };
  const include = call.query.get("includeObject") ?? "Metadata";
  return tableOf(call.target.kind, [object], metadata, include, call.context.clock.now());
}

function answer(call: Call, code: number, object: KubeObject): void {
  const wanted = wantedOf(call.request.headers.accept);
  call.reply.document(code, shown(call, wanted, object), wanted.yaml);
}

function list(call: Call): void {
  const { context, target, query, reply } = call;
  const wanted = wantedOf(call.request.headers.accept);
  const page = listPage(context, target, query);
  if (wanted.view === "table") {
    const include = query.get("includeObject") ?? "Metadata";
    reply.document(200, tableOf(target.kind, page.items, page.metadata, include, context.clock.now()), wanted.yaml);
  } else if (wanted.view === "metadata" || wanted.view === "metadataList") {
    const items = page.items.map(metadataOnly);
    const head = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" };
    reply.document(200, { ...head, metadata: page.metadata, items }, wanted.yaml);
  } else if (wanted.yaml) reply.document(200, JSON.parse(listText(target, page)) as JsonObject, true);
  else reply.text(200, listText(target, page), "application/json");
}

function get(call: Call): void {
  const { context, target } = call;
  const found = context.objects.find(target.kind.storage, keyOfTarget(target));
  if (found === undefined) throw notFound(target.kind, target.name ?? "");
  answer(call, 200, present(target.kind, found));
}

function optionsOf(call: Call): UpdateOptions {
  const warn = (text: string): void => call.reply.warn(text);
  const options = writeOptions(call.request, call.query, warn);
  return call.target.subresource === "status" ? { ...options, subresource: "status" } : options;
}

async function post(call: Call): Promise<void> {
  const { target, context } = call;
  if (target.kind.namespaced && target.namespace === undefined) {
    throw target.kind.custom === undefined ? methodNotAllowed() : unknownResource();
  }
  const body = await readDocument(call.request);
  answer(call, 201, create(context, target.kind, body, target.namespace, optionsOf(call)));
}

async function put(call: Call): Promise<void> {
  const { target, context } = call;
  const body = await readDocument(call.request);
  const { object, created } = update(context, target.kind, keyOfTarget(target), body, optionsOf(call));
  answer(call, created ? 201 : 200, object);
}

async function patchOne(call: Call): Promise<void> {
  const { target, context, query } = call;
  const { type, body } = await readPatch(call.request);
  const options = optionsOf(call);
  if (type === "apply" && (query.get("fieldManager") ?? "") === "") options.fieldManager = "";
  const force = query.has("force") ? { force: isTrue(query.get("force")) } : {};
  const { object, created } = patch(context, target.kind, keyOfTarget(target), type, body, { ...options, ...force });
  answer(call, created ? 201 : 200, object);
}

/** Kinds whose deletion answers with the object although it is gone. */
const returnedWhenDeleted = new Set([
  "pods",
  "services",
  "serviceaccounts",
  "persistentvolumeclaims",
  "resourcequotas",
]);

async function deleteOne(call: Call): Promise<void> {
  const { target, context, query } = call;
  const options = deleteOptions(query, await readOptionalDocument(call.request));
  const { object, gone } = remove(context, target.kind, keyOfTarget(target), options);
  if (!gone || returnedWhenDeleted.has(target.kind.storage)) {
    answer(call, 200, object);
    return;
  }
  const { group, plural } = target.kind;
  const details = {
    name: target.name ?? "",
    ...(group === "" ? {} : { group }),
    kind: plural,
    uid: object.metadata.uid ?? "",
  };
  call.reply.document(200, successStatus(details));
}

async function deleteMany(call: Call): Promise<void> {
  const { target, context, query } = call;
  if (target.kind.storage === "namespaces") throw methodNotAllowed();
  if (target.kind.namespaced && target.namespace === undefined) throw methodNotAllowed();
  const options = deleteOptions(query, await readOptionalDocument(call.request));
  const page = listPage(context, target, query);
  const items = page.items.flatMap((object) => {
    const { name = "", namespace } = object.metadata;
    const key = namespace === undefined ? { name } : { name, namespace };
    if (context.objects.find(target.kind.storage, key) === undefined) return [];
    return [remove(context, target.kind, key, options).object];
  });
  call.reply.text(200, listText(target, { items, metadata: page.metadata }), "application/json");
}

async function evictPod(call: Call): Promise<void> {
  const { target, context, query } = call;
  const body = await readDocument(call.request);
  if (!isObject(body)) throw badRequest("the object provided is unrecognized (must be of type Eviction)");
  const named = stringAt(body, "metadata", "name");
  if (named !== undefined && named !== target.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  const options = deleteOptions(query, (body.deleteOptions ?? {}) as Json);
  evict(context, keyOfTarget(target), options);
  call.reply.document(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

async function bindPod(call: Call): Promise<void> {
  const { target, context } = call;
  const body = await readDocument(call.request);
  const node = stringAt(body, "target", "name");
  if (node === undefined || node === "") {
    throw badRequest("Binding: target.name: Required value: name the node that the pod goes to");
  }
  const annotations = objectAt(body, "metadata", "annotations") as Record<string, string>;
  bind(context, keyOfTarget(target), node, annotations);
  call.reply.document(201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}

async function scale(call: Call): Promise<void> {
  const { target, context, query } = call;
  const key = keyOfTarget(target);
  if (call.request.method === "GET") {
    call.reply.document(200, readScale(context, target.kind, key) as unknown as JsonObject);
    return;
  }
  let body: Json;
  if (call.request.method === "PATCH") {
    const sent = await readPatch(call.request);
    body = scalePatch(call, sent.type, sent.body);
  } else if (call.request.method === "PUT") body = await readDocument(call.request);
  else throw methodNotAllowed();
  const options = writeOptions(call.request, query, (text) => call.reply.warn(text));
  call.reply.document(200, writeScale(context, target.kind, key, body, options) as unknown as JsonObject);
}

function scalePatch(call: Call, type: string, body: Json): Json {
  const now = readScale(call.context, call.target.kind, keyOfTarget(call.target)) as unknown as JsonObject;
  if (type === "json") return jsonPatch(now, body);
  return mergePatch(now, body);
}

/** Does what a request asks of a resource. @throws ApiError */
export async function serveResource(call: Call): Promise<void> {
  const { request, target } = call;
  const { method } = request;
  const deprecation = target.kind.custom?.deprecationWarning;
  if (deprecation !== undefined) call.reply.warn(deprecation);
  if (target.subresource === "eviction" && method === "POST") return evictPod(call);
  if (target.subresource === "binding" && method === "POST") return bindPod(call);
  if (target.subresource === "scale") return scale(call);
  if (target.subresource === "finalize" && method === "PUT") {
    const object = finalizeNamespace(call.context, target.name ?? "", await readDocument(request));
    return answer(call, 200, object);
  }
  if (target.subresource !== undefined && target.subresource !== "status") throw methodNotAllowed();
  if (target.name === undefined) {
    if (method === "GET") return list(call);
    if (method === "POST") return post(call);
    if (method === "DELETE") return deleteMany(call);
    throw methodNotAllowed();
  }
  if (method === "GET") return get(call);
  if (method === "PUT") return put(call);
  if (method === "PATCH") return patchOne(call);
  if (method === "DELETE" && target.subresource === undefined) return deleteOne(call);
  throw methodNotAllowed();
}
