import type { BodyReader } from "../../shared/adapters/kube/index.ts";

const byte = { quote: 0x22, comma: 0x2c, open: 0x5b, backslash: 0x5c, close: 0x5d, begin: 0x7b, end: 0x7d };
/** The items of a list are the values of this member of the outermost object. */
const member = /"items"\s*:\s*\[$/;

/**
 * Reads a list object by object: each is handed on while the rest is still on its way, and is garbage before the next one
 * comes. A page that is parsed as a whole outlives the young generation, and what it leaves has to be collected from a heap
 * that holds the cluster. `end` gives the list without its items, for its metadata. Throws SyntaxErrors, as JSON.parse does.
 */
export function readList(onItem: (item: unknown) => void): BodyReader {
  /** How many brackets are open. */
  let depth = 0;
  let inText = false;
  let escaped = false;
  let inItems = false;
  /** Of the item that has begun; undefined: none has. */
  let pieces: Buffer[] | undefined;
  let around = "";

  function handOn(last: Buffer): void {
    const text = pieces!.length === 0 ? last.toString("utf8") : Buffer.concat([...pieces!, last]).toString("utf8");
    pieces = undefined;
    onItem(JSON.parse(text));
  }

  return {
    take(chunk) {
      /** Where the item, or what is around the items, goes on in this chunk. */
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        if (inText) {
          const end = endOfText(chunk, at, escaped);
          escaped = end < 0 && endsInBackslash(chunk, at, escaped);
          if (end < 0) break;
          inText = false;
          at = end;
          continue;
        }
        const code = chunk[at]!;
        const isOuter = inItems && depth === 2;
        if (isOuter && (code === byte.comma || code === byte.close)) {
          if (pieces !== undefined) handOn(chunk.subarray(from, at));
          from = at + 1;
        } else if (isOuter && pieces === undefined && code > 0x20) {
          pieces = [];
          from = at;
        }
        if (code === byte.quote) inText = true;
        else if (code === byte.begin || code === byte.open) {
          depth++;
          if (depth !== 2 || code !== byte.open) continue;
          around += chunk.toString("latin1", from, at + 1);
          inItems = member.test(around);
          from = at + 1;
        } else if (code === byte.end || code === byte.close) {
          depth--;
          if (!inItems || depth !== 1) continue;
          inItems = false;
          from = at;
        }
      }
      if (!inItems) around += chunk.toString("latin1", from);
      else pieces?.push(chunk.subarray(from));
    },
    end: () => (around === "" ? undefined : JSON.parse(Buffer.from(around, "latin1").toString("utf8"))),
  };
}

/** The quote that ends the text which goes on at `at`; -1: it isn't in this chunk. */
function endOfText(chunk: Buffer, at: number, escaped: boolean): number {
  for (let look = escaped ? at + 1 : at; look < chunk.length; look++) {
    const code = chunk[look];
    if (code === byte.quote) return look;
    if (code === byte.backslash) look++;
  }
  return -1;
}

/** Whether the chunk's last byte escapes the first of the next one, of a text that goes on at `at` to the chunk's end. */
function endsInBackslash(chunk: Buffer, at: number, escaped: boolean): boolean {
  let backslashes = 0;
  for (let look = chunk.length - 1; look >= (escaped ? at + 1 : at) && chunk[look] === byte.backslash; look--)
    backslashes++;
  return backslashes % 2 === 1;
}
