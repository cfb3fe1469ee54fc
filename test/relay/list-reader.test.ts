import { describe, expect, it } from "vitest";
import { readList } from "../../relay/watch/list-reader.ts";

function read(text: string, chunkBytes = text.length): { items: unknown[]; rest: unknown } {
  const items: unknown[] = [];
  const reader = readList((item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += chunkBytes) reader.take(bytes.subarray(from, from + chunkBytes));
  return { items, rest: reader.end() };
}

const metadata = { resourceVersion: "7", continue: 'a"]}{["items":[' };

describe("a list that is read as it comes", () => {
  it.each([1, 2, 3, 7, 16, 1_000])("gives every item and the rest, in pieces of %i bytes", (chunkBytes) => {
    const items = [
      { metadata: { name: "a", items: [1, [2]] }, text: 'quote " bracket ]} slash \\' },
      { text: "größer, 世界, 🚢", empty: {}, list: [] },
      {},
      { spec: { items: [{ items: [] }] } },
    ];
    const list = { kind: "PodList", metadata, items, after: { items: ["kept"] } };
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2)]) {
      expect(read(text, chunkBytes)).toEqual({ items, rest: { ...list, items: [] } });
    }
  });

  it("hands an item on before the next one has come", () => {
    const items: unknown[] = [];
    const reader = readList((item) => items.push(item));
    reader.take(Buffer.from('{"items":[{"a":1},{"b"'));
    expect(items).toEqual([{ a: 1 }]);
  });

  it.each([
    ["no items", "[]", []],
    ["items that are no objects", '[null,1,"a,]",[2,3],true]', [null, 1, "a,]", [2, 3], true]],
  ])("takes %s", (_what, text, items) => {
    expect(read(`{"metadata":{}, "items" : ${text}}`)).toEqual({ items, rest: { metadata: {}, items: [] } });
  });

  it.each(["null", "{}", '"none"'])("leaves items that are no list to the caller: %s", (text) => {
    expect(read(`{"items":${text}}`)).toEqual({ items: [], rest: { items: JSON.parse(text) } });
  });

  it("has nothing to say of an empty body", () => {
    expect(read("")).toEqual({ items: [], rest: undefined });
  });

  it.each(['{"items":[{"a":1}', '{"items":[{"a"}]}', "<html>", '{"items":[]'])(
    "refuses what is no JSON: %s",
    (text) => {
      expect(() => read(text)).toThrow(SyntaxError);
    },
  );
});
