// From an operation's result to the XML of the EC2 Query protocol.
import type { Ec2Error } from "../ec2-error.ts";
import type { Shape } from "./shapes.ts";

const namespace = "http://ec2.amazonaws.com/doc/2016-11-15/";

/** The answer of a successful call. Fields that the model doesn't have are a mistake of ours and throw. */
export function writeAnswer(operation: string, shape: Shape, result: object, requestId: string): string {
  const body = writeBody(result, shape, operation);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${operation}Response xmlns="${namespace}"><requestId>${requestId}</requestId>${body}</${operation}Response>`;
}

/** The answer of a refused call. */
export function writeError(error: Ec2Error, requestId: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${escapeText(error.code)}</Code><Message>${escapeText(error.message)}</Message></Error></Errors><RequestID>${requestId}</RequestID></Response>`;
}

function writeBody(value: unknown, shape: Shape, path: string): string {
  if (shape.kind === "list") {
    return (value as readonly unknown[])
      .map((item) => writeElement(shape.item.xmlName, item, shape.item.shape(), `${path}[]`))
      .join("");
  }
  if (shape.kind === "structure") {
    const record = value as Record<string, unknown>;
    const out: string[] = [];
    const names = new Set<string>();
    for (const member of shape.members) {
      names.add(member.name);
      const child = record[member.name];
      if (child !== undefined && child !== null) {
        out.push(writeElement(member.xmlName, child, member.shape(), `${path}.${member.name}`));
      }
    }
    const stray = Object.keys(record).find((key) => !names.has(key));
    if (stray !== undefined) throw new Error(`${path} has no field ${stray}`);
    return out.join("");
  }
  if (shape.kind === "timestamp") return (value as Date).toISOString();
  if (shape.kind === "blob") return Buffer.from(value as Uint8Array).toString("base64");
  return escapeText(String(value));
}

function writeElement(name: string, value: unknown, shape: Shape, path: string): string {
  const body = writeBody(value, shape, path);
  return body === "" ? `<${name}/>` : `<${name}>${body}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#xD;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"\r]/g, (c) => escapes[c]!);
}
