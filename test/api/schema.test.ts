import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyDefaults,
  type Json,
  type JsonSchemaProps,
  printFieldError,
  prune,
  validate,
} from "../../shared/api/schema/index.ts";

const under = (field: JsonSchemaProps, required: string[] = []): JsonSchemaProps => ({
  type: "object",
  properties: { spec: { type: "object", properties: { x: field }, required } },
});

/** The printed errors of `spec.x` under a schema. */
function errorsOf(field: JsonSchemaProps, x: Json, old?: Json): string[] {
  const before = old === undefined ? undefined : { spec: { x: old } };
  return validate(under(field), { spec: { x } }, before).map(printFieldError);
}

const notChecked =
  "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

describe("validate prints what kube-apiserver prints", () => {
  it.each<[string, JsonSchemaProps, Json, string[]]>([
    [
      "a wrong type",
      { type: "integer" },
      "a",
      ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"', notChecked],
    ],
    [
      "null",
      { type: "object" },
      null,
      ['spec.x: Invalid value: "null": spec.x in body must be of type object: "null"', notChecked],
    ],
    [
      "a fraction for an integer",
      { type: "integer" },
      1.5,
      [
        'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
        notChecked,
      ],
    ],
    [
      "a number beyond int32",
      { type: "integer", format: "int32" },
      2 ** 31,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
    ],
    [
      "a truth value for an int32",
      { type: "integer", format: "int32" },
      true,
      ['spec.x: Invalid value: "": spec.x in body must be of type int32: ""', notChecked],
    ],
    [
      "an enum",
      { type: "string", enum: ["a", "b"] },
      "c",
      ['spec.x: Unsupported value: "c": supported values: "a", "b"', notChecked],
    ],
    [
      "a pattern",
      { type: "string", pattern: "^b+$" },
      "abb",
      [`spec.x: Invalid value: "abb": spec.x in body should match '^b+$'`],
    ],
    [
      "a long text",
      { type: "string", maxLength: 2 },
      "abc",
      ["spec.x: Too long: may not be more than 2 bytes", notChecked],
    ],
    [
      "a short text",
      { type: "string", minLength: 1 },
      "",
      ['spec.x: Invalid value: "": spec.x in body should be at least 1 chars long'],
    ],
    [
      "too much",
      { type: "integer", maximum: 100 },
      101,
      ["spec.x: Invalid value: 101: spec.x in body should be less than or equal to 100"],
    ],
    [
      "too little",
      { type: "integer", minimum: 1 },
      0,
      ["spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1"],
    ],
    [
      "too many items",
      { type: "array", items: { type: "integer" }, maxItems: 1 },
      [1, 2],
      ["spec.x: Too many: 2: must have at most 1 items", notChecked],
    ],
    [
      "too few items",
      { type: "array", items: { type: "integer" }, minItems: 1 },
      [],
      ["spec.x: Invalid value: 0: spec.x in body should have at least 1 items"],
    ],
    [
      "too many entries",
      { type: "object", additionalProperties: { type: "string" }, maxProperties: 1 },
      { a: "", b: "" },
      ["spec.x: Too many: 2: must have at most 1 items", notChecked],
    ],
    [
      "an item",
      { type: "array", items: { type: "integer" } },
      [1, "a"],
      ['spec.x[1]: Invalid value: "string": spec.x[1] in body must be of type integer: "string"', notChecked],
    ],
    [
      "a date",
      { type: "string", format: "date-time" },
      "2026-02-30T00:00:00Z",
      [
        'spec.x: Invalid value: "2026-02-30T00:00:00Z": spec.x in body must be of type date-time: "2026-02-30T00:00:00Z"',
        notChecked,
      ],
    ],
    [
      "a set",
      { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      ["a", "b", "a"],
      ['spec.x[2]: Duplicate value: "a"'],
    ],
    [
      "a rule on a text",
      { type: "string", "x-kubernetes-validations": [{ rule: "self != ''", message: "say something" }] },
      "",
      ['spec.x: Invalid value: "": say something'],
    ],
    [
      "a rule that raises",
      {
        type: "array",
        items: { type: "integer" },
        "x-kubernetes-validations": [{ rule: "self[3] == 1", message: "third is one" }],
      },
      [1],
      [
        'spec.x: Invalid value: "array": no such key: index out of bounds, index 3 >= size 1 evaluating rule: third is one',
      ],
    ],
  ])("%s", (_, field, value, printed) => {
    expect(errorsOf(field, value)).toEqual(printed);
  });

  it("a required field", () => {
    expect(validate(under({ type: "string" }, ["x"]), { spec: {} }).map(printFieldError)).toEqual([
      "spec.x: Required value",
      notChecked,
    ]);
  });

  it("a duplicate key in a list-type map", () => {
    const schema: JsonSchemaProps = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: { type: "object", properties: { type: { type: "string" }, v: { type: "integer" } } },
    };
    expect(errorsOf(schema, [{ type: "A" }, { type: "B" }, { type: "A", v: 2 }])).toEqual([
      'spec.x[2]: Duplicate value: {"type":"A"}',
    ]);
  });

  it.each<[string, Json]>([
    ["a number in a text's place", "5"],
    ["an integer", 5],
    ["a suffix", "5Gi"],
  ])("int-or-string takes %s", (_, value) => {
    const schema: JsonSchemaProps = {
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+(Gi)?$",
      "x-kubernetes-int-or-string": true,
    };
    expect(errorsOf(schema, value)).toEqual([]);
    expect(errorsOf(schema, true)).not.toEqual([]);
    expect(errorsOf(schema, "x")).not.toEqual([]);
  });
});

describe("rules", () => {
  const rule = (text: string, extra: object = {}): JsonSchemaProps => ({
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "string" }, "c-d": { type: "string" } },
    "x-kubernetes-validations": [{ rule: text, ...extra }],
  });

  it("about oldSelf run on updates only", () => {
    const schema = rule("self.a == oldSelf.a", { message: "a stays" });
    expect(errorsOf(schema, { a: 1 })).toEqual([]);
    expect(errorsOf(schema, { a: 1 }, { a: 1 })).toEqual([]);
    expect(errorsOf(schema, { a: 2 }, { a: 1 })).toEqual(["spec.x: Invalid value: a stays"]);
  });

  it("with optionalOldSelf run on creation too", () => {
    const schema = rule("oldSelf.hasValue() || self.a == 0", { message: "starts at 0", optionalOldSelf: true });
    expect(errorsOf(schema, { a: 1 })).toEqual(["spec.x: Invalid value: starts at 0"]);
    expect(errorsOf(schema, { a: 2 }, { a: 1 })).toEqual([]);
  });

  it("speak through messageExpression, fieldPath and reason", () => {
    expect(
      errorsOf(rule("self.a < 3", { messageExpression: "'a is ' + string(self.a)", fieldPath: ".a" }), { a: 3 }),
    ).toEqual(["spec.x.a: Invalid value: a is 3"]);
    expect(errorsOf(rule("self.a < 3", { message: "no", reason: "FieldValueForbidden" }), { a: 3 })).toEqual([
      "spec.x: Forbidden: no",
    ]);
  });

  it("fall back on their message, then on their text", () => {
    expect(errorsOf(rule("self.a < 3", { messageExpression: "self.b", message: "small" }), { a: 3 })).toEqual([
      "spec.x: Invalid value: small",
    ]);
    expect(errorsOf(rule("self.a < 3"), { a: 3 })).toEqual(["spec.x: Invalid value: failed rule: self.a < 3"]);
  });

  it("that cannot be compiled refuse the object", () => {
    expect(errorsOf(rule("self.a <"), { a: 3 })[0]).toMatch(/rule compile error/);
  });

  it.each<[string, Json, boolean]>([
    ["has(self.a) && self.a > 1", { a: 2 }, true],
    ["self.b.matches('^x+$')", { b: "xx" }, true],
    ["self.b.find('[0-9]+') == '12'", { b: "a12b" }, true],
    ["self.b.split('@')[1] == 'v1'", { b: "al2@v1" }, true],
    ["self.b.split('@')[1] == 'v1'", { b: "al2" }, false],
    ["quantity(self.b).isLessThan(quantity('1Gi'))", { b: "1023Mi" }, true],
    ["quantity(self.b).compareTo(quantity('1500m')) == 0", { b: "1.5" }, true],
    ["isQuantity(self.b)", { b: "1x" }, false],
    ["duration(self.b) > duration('59s')", { b: "1m" }, true],
    ["int(self.b) >= 0", { b: "7" }, true],
    ["int(self.b) >= 0", { b: "" }, false],
    ["int(self.b) >= 0", { b: "1.5" }, false],
    ["self.__c__dash__d == 'int(x)'".replace("__c__", "c__"), { "c-d": "int(x)" }, true],
    ["['a', 'b'].exists_one(x, x == self.b)", { b: "a" }, true],
    ["self.b.replace('a', 'b') == 'bb'", { b: "ab" }, true],
    ["[1, 2, 3].filter(x, x > self.a).map(x, x * 2) == [6]", { a: 2 }, true],
  ])("%s on %j: %s", (text, value, holds) => {
    expect(errorsOf(rule(text), value).length === 0).toBe(holds);
  });
});

describe("ratcheting", () => {
  it("lets an unchanged field break a rule that it broke before", () => {
    const schema: JsonSchemaProps = {
      type: "object",
      properties: {
        a: { type: "string", pattern: "^a$" },
        b: { type: "string", "x-kubernetes-validations": [{ rule: "self == 'b'" }] },
        c: { type: "integer" },
      },
    };
    expect(errorsOf(schema, { a: "x", b: "x", c: 1 })).toHaveLength(2);
    expect(errorsOf(schema, { a: "x", b: "x", c: 2 }, { a: "x", b: "x", c: 1 })).toEqual([]);
    expect(errorsOf(schema, { a: "y", b: "y" }, { a: "x", b: "x" })).toHaveLength(2);
  });
});

describe("applyDefaults", () => {
  const schema: JsonSchemaProps = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        default: {},
        properties: {
          n: { type: "integer", default: 1 },
          s: { type: "string" },
          may: { type: "string", nullable: true, default: "d" },
          list: { type: "array", items: { type: "object", properties: { k: { type: "string", default: "v" } } } },
        },
      },
    },
  };

  it.each<[Json, Json]>([
    [{}, { spec: { n: 1, may: "d" } }],
    [{ spec: { n: null, s: null, may: null } }, { spec: { n: 1, may: null } }],
    [
      { spec: { n: 2, may: "x", list: [{}, { k: "w" }] } },
      { spec: { n: 2, may: "x", list: [{ k: "v" }, { k: "w" }] } },
    ],
    [{ spec: 5 }, { spec: 5 }],
  ])("of %j gives %j", (given, expected) => {
    expect(applyDefaults(schema, given)).toEqual(expected);
    expect(applyDefaults(schema, applyDefaults(schema, given))).toEqual(expected);
  });

  it("leaves its input as it was and shares no default", () => {
    const given = {};
    const [one, two] = [applyDefaults(schema, given), applyDefaults(schema, given)] as { spec: { n: number } }[];
    one!.spec.n = 9;
    expect(given).toEqual({});
    expect(two!.spec.n).toBe(1);
  });
});

describe("prune", () => {
  it("removes what the schema doesn't know and says what that was", () => {
    const value = { apiVersion: "v", kind: "K", metadata: { any: 1 }, spec: { x: "a", y: 1, z: [{ q: 1 }] }, other: 1 };
    expect(prune(under({ type: "string" }), value)).toEqual(["other", "spec.y", "spec.z"]);
    expect(value).toEqual({ apiVersion: "v", kind: "K", metadata: { any: 1 }, spec: { x: "a" } });
  });

  it("looks into lists and maps and spares what is to be preserved", () => {
    const schema: JsonSchemaProps = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "object", properties: { a: {} } } },
        map: { type: "object", additionalProperties: { type: "object", properties: { a: {} } } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    };
    const value = { list: [{ a: 1, b: 2 }], map: { k: { b: 2 } }, free: { b: 2 } };
    expect(prune(schema, value)).toEqual(["list[0].b", "map.k.b"]);
    expect(value).toEqual({ list: [{ a: 1 }], map: { k: {} }, free: { b: 2 } });
  });
});

describe("on any JSON at all", () => {
  const schema: JsonSchemaProps = {
    type: "object",
    properties: {
      a: { type: "array", items: { type: "string", format: "date-time" }, "x-kubernetes-list-type": "set" },
      b: {
        type: "object",
        additionalProperties: { "x-kubernetes-int-or-string": true },
        "x-kubernetes-validations": [{ rule: "self.all(k, self[k] != 0)" }],
      },
    },
    required: ["a"],
  };
  const anything = fc.jsonValue() as fc.Arbitrary<Json>;
  const nearly = fc.oneof(
    anything,
    fc.record({ a: anything, b: anything }, { requiredKeys: [] }) as fc.Arbitrary<Json>,
  );

  it("validate, prune and applyDefaults return, and defaults are idempotent", () => {
    fc.assert(
      fc.property(nearly, nearly, (value, old) => {
        validate(schema, value, old);
        const once = applyDefaults(schema, value);
        expect(applyDefaults(schema, once)).toEqual(once);
        prune(schema, structuredClone(value));
      }),
    );
  });
});
