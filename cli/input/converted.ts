import { UnreadableObjectError } from "../../shared/api/index.ts";
import { InputError } from "../input-error.ts";
import type { SourceDocument } from "./documents.ts";

/** Converts a document (or what stands for it); what cannot be read is told with the place it came from. */
export function converted<T>(source: SourceDocument, convert: (document: unknown) => T, instead?: unknown): T {
  try {
    return convert(instead ?? source.document);
  } catch (cause) {
    if (!(cause instanceof UnreadableObjectError)) throw cause;
    throw new InputError(`${source.where}: ${cause.message}`, { cause });
  }
}
