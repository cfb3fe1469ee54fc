// From a form body of the EC2 Query protocol (`Action=…&Filter.1.Name=…`) to the input that the SDK was given.
import { Ec2Error } from "../ec2-error.ts";
import type { Member, Shape } from "./shapes.ts";

/** A request's parameters as a tree: `A.1.B=x` is node A → 1 → B with the value x. */
interface Node {
  value?: string;
  readonly children: Map<string, Node>;
}

const largestListIndex = 1_000_000;

export interface Form {
  readonly action: string;
  readonly version: string;
  readonly parameters: Node;
}

/** Reads a body. Throws MissingAction or MalformedQueryString (400) as EC2 does. */
export function readForm(body: string): Form {
  const parameters: Node = { children: new Map() };
  let action = "";
  let version = "";
  for (const [key, value] of new URLSearchParams(body)) {
    if (key === "Action") action = value;
    else if (key === "Version") version = value;
    else insert(parameters, key, value);
  }
  if (action === "") throw new Ec2Error("MissingAction", "The request contains no Action parameter.");
  return { action, version, parameters };
}

function insert(root: Node, key: string, value: string): void {
  let node = root;
  for (const part of key.split(".")) {
    if (part === "") throw new Ec2Error("MalformedQueryString", `The parameter name ${key} has an empty part.`);
    let next = node.children.get(part);
    if (next === undefined) {
      next = { children: new Map() };
      node.children.set(part, next);
    }
    node = next;
  }
  node.value = value;
}

/** The operation's input. Throws UnknownParameter, MissingParameter or InvalidParameterValue (400), each naming the parameter. */
export function readInput(form: Form, shape: Shape): Record<string, unknown> {
  return readValue(form.parameters, shape, "") as Record<string, unknown>;
}

function readValue(node: Node, shape: Shape, path: string): unknown {
  if (shape.kind === "structure") return readStructure(node, shape.members, path);
  if (shape.kind === "list") return readList(node, shape.item, path);
  if (node.children.size > 0) {
    throw new Ec2Error("UnknownParameter", `The parameter ${path}.${firstKey(node)} is not recognized`);
  }
  return readSimple(node.value ?? "", shape.kind, path);
}

function readStructure(node: Node, members: readonly Member[], path: string): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const left = new Set(node.children.keys());
  for (const member of members) {
    const here = path === "" ? member.queryName : `${path}.${member.queryName}`;
    const child = node.children.get(member.queryName);
    if (child !== undefined) {
      left.delete(member.queryName);
      out[member.name] = readValue(child, member.shape(), here);
    } else if (member.required) {
      throw new Ec2Error("MissingParameter", `The request must contain the parameter ${here}`);
    }
  }
  for (const key of left) {
    throw new Ec2Error("UnknownParameter", `The parameter ${path === "" ? key : `${path}.${key}`} is not recognized`);
  }
  return out;
}

/** Lists are flat: `Name.1`, `Name.2`; their order is that of the numbers, and gaps don't matter. */
function readList(node: Node, item: Member, path: string): unknown[] {
  const entries: [number, Node][] = [];
  for (const [key, child] of node.children) {
    const index = /^[1-9]\d*$/.test(key) ? Number(key) : 0;
    if (index < 1 || index > largestListIndex) {
      throw new Ec2Error("UnknownParameter", `The parameter ${path}.${key} is not recognized`);
    }
    entries.push([index, child]);
  }
  entries.sort(([a], [b]) => a - b);
  return entries.map(([index, child]) => readValue(child, item.shape(), `${path}.${index}`));
}

function readSimple(text: string, kind: "string" | "number" | "boolean" | "timestamp" | "blob", path: string): unknown {
  if (kind === "number") {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) throw invalid(path, text, "a number");
    return value;
  }
  if (kind === "boolean") {
    if (text !== "true" && text !== "false") throw invalid(path, text, "true or false");
    return text === "true";
  }
  if (kind === "timestamp") {
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) throw invalid(path, text, "an ISO 8601 time");
    return at;
  }
  return kind === "blob" ? Buffer.from(text, "base64") : text;
}

function invalid(path: string, text: string, wanted: string): Ec2Error {
  return new Ec2Error(
    "InvalidParameterValue",
    `Value (${text}) for parameter ${path} is invalid. It must be ${wanted}.`,
  );
}

function firstKey(node: Node): string {
  return [...node.children.keys()][0]!;
}
