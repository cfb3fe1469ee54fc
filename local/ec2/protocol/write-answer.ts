// From an operation's result to the XML of the EC2 Query protocol.
import type { Ec2Error } from "../ec2-error.ts";
import type { Shape } from "./shapes.ts";

const namespace = "http://ec2.amazonaws.com/doc/2016-11-15/";

/** The answer of a successful call. Fields that the model doesn't have (a catalog may be newer than the SDK) are left out. */
export function writeAnswer(operation: string, shape: Shape, result: object, requestId: string): string {
  const body = writeBody(result, shape);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${operation}Response xmlns="${namespace}"><requestId>${requestId}</requestId>${body}</${operation}Response>`;
}

/** The answer of a refused call. */
export function writeError(error: Ec2Error, requestId: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${escapeText(error.code)}</Code><Message>${escapeText(error.message)}</Message></Error></Errors><RequestID>${requestId}</RequestID></Response>`;
}

function writeBody(value: unknown, shape: Shape): string {
  if (shape.kind === "list") {
    const { xmlName, shape: item } = shape.item;
    return (value as readonly unknown[]).map((one) => writeElement(xmlName, one, item())).join("");
  }
  if (shape.kind === "structure") {
    const record = value as Record<string, unknown>;
    return shape.members
      .filter((member) => record[member.name] !== undefined && record[member.name] !== null)
      .map((member) => writeElement(member.xmlName, record[member.name], member.shape()))
      .join("");
  }
  if (shape.kind === "timestamp") return (value as Date).toISOString();
  if (shape.kind === "blob") return Buffer.from(value as Uint8Array).toString("base64");
  return escapeText(String(value));
}

function writeElement(name: string, value: unknown, shape: Shape): string {
  const body = writeBody(value, shape);
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
