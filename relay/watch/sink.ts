import { nameOf, UnreadableObjectError } from "../../shared/api/convert/fields.ts";
import type { Log } from "../log.ts";
import type { Kind } from "../objects.ts";
import type { Trim } from "../trim/index.ts";
import type { WritableView } from "../view.ts";
import type { Sink } from "./reflector.ts";

/** Trims documents into the view. One that cannot be read is named in the log, once for each way to be wrong, and left out. */
export function sinkInto(view: WritableView, kind: Kind, trim: Trim, log: Log): Sink {
  const unreadable = new Map<string, string>();
  /** Those of the list that is going on. */
  const seen = new Set<string>();
  return {
    startList() {
      seen.clear();
      view.startList(kind);
    },
    put(document) {
      try {
        const object = trim(kind, document);
        unreadable.delete(object.uid);
        return view.put(kind, object);
      } catch (error) {
        if (!(error instanceof UnreadableObjectError)) throw error;
        const uid = uidOf(document);
        const { name, field, message: problem } = error.object;
        if (unreadable.get(uid) !== error.message) log.warn("object left out", { kind, name, field, problem });
        unreadable.set(uid, error.message);
        view.remove(kind, uid);
        const isNew = !seen.has(uid);
        seen.add(uid);
        return isNew;
      }
    },
    remove(document) {
      const uid = uidOf(document);
      unreadable.delete(uid);
      view.remove(kind, uid);
    },
    endList() {
      for (const uid of unreadable.keys()) if (!seen.has(uid)) unreadable.delete(uid);
      seen.clear();
      view.endList(kind);
    },
    sawVersion: view.sawVersion,
  };
}

function uidOf(document: unknown): string {
  const { uid } = (document as { metadata?: { uid?: unknown } } | null)?.metadata ?? {};
  return typeof uid === "string" ? uid : nameOf(document);
}
