import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../cli/main.ts";
import { paintFor } from "../../cli/output/paint.ts";

async function run(...argv: string[]) {
  let out = "";
  let err = "";
  const code = await main(["values", ...argv], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    paint: paintFor({ isTTY: false }, {}),
    now: () => 0,
  });
  return { code, out, err };
}

describe("timmerman values", () => {
  let folder: string;
  const written = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "values-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const production = {
    settings: { clusterName: "production" },
    aws: { region: "eu-west-1" },
    timmerman: {
      table: "timmerman-production-Table-abc",
      queues: { provision: "https://sqs.eu-west-1.amazonaws.com/1/p" },
    },
    serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::111111111111:role/relay" } },
  };

  it("prints a cluster's values for the chart as YAML", async () => {
    const path = written("outputs.json", JSON.stringify({ relays: { production }, region: "eu-west-1" }));
    expect(await run("production", "--outputs", path)).toEqual({
      code: 0,
      err: "",
      out: `settings:
  clusterName: production
aws:
  region: eu-west-1
timmerman:
  table: timmerman-production-Table-abc
  queues:
    provision: https://sqs.eu-west-1.amazonaws.com/1/p
serviceAccount:
  annotations:
    eks.amazonaws.com/role-arn: arn:aws:iam::111111111111:role/relay
`,
    });
  });

  it("quotes names that Helm's YAML takes for something else than text", async () => {
    const path = written("names.json", '{"relays":{"on":{"names":["on","no","y","1_000","12:30","0x1f"],"count":2}}}');
    expect((await run("on", "--outputs", path)).out).toBe(`names:
  - "on"
  - "no"
  - "y"
  - "1_000"
  - "12:30"
  - "0x1f"
count: 2
`);
  });

  it("prints one cluster's values whatever another's are", async () => {
    const path = written("other.json", JSON.stringify({ relays: { production, blue: null } }));
    expect(await run("production", "--outputs", path)).toMatchObject({ code: 0, err: "" });
  });

  it("reads a file that begins with a mark of the byte order", async () => {
    const path = written("marked.json", `\uFEFF${JSON.stringify({ relays: { production } })}`);
    expect(await run("production", "--outputs", path)).toMatchObject({ code: 0, err: "" });
  });

  it.each([
    [
      "an unknown cluster",
      ["green"],
      '{"relays":{"blue":{},"amber":{}}}',
      "cluster green was not deployed (there are: amber, blue)",
    ],
    ["a name of objects", ["constructor"], '{"relays":{}}', "cluster constructor was not deployed (there are: none)"],
    ["outputs without relays", ["blue"], "{}", "(there are: none): add it to stacks/clusters.ts and deploy"],
    ["no JSON", ["blue"], "{", "is not JSON: npx sst deploy writes it"],
    ["a list", ["blue"], "[]", "is no JSON object"],
    ["relays of another kind", ["blue"], '{"relays":[]}', "relays is no object"],
    [
      "no values",
      ["blue"],
      '{"relays":{"blue":null}}',
      "wrong.json: relays.blue: expected an object, the values for the chart, not null: npx sst deploy writes it",
    ],
    [
      "a number for values",
      ["blue"],
      '{"relays":{"blue":5}}',
      "relays.blue: expected an object, the values for the chart, not 5",
    ],
    [
      "a text for values",
      ["blue"],
      '{"relays":{"blue":"x"}}',
      'relays.blue: expected an object, the values for the chart, not "x"',
    ],
    [
      "a list for values",
      ["blue"],
      '{"relays":{"blue":[]}}',
      "relays.blue: expected an object, the values for the chart, not a list",
    ],
    ["no cluster", [], "{}", "name a cluster"],
    ["an unknown flag", ["blue", "--ouput"], "{}", "--ouput"],
  ])("says in a line what is wrong: %s", async (_what, argv, text, problem) => {
    const { code, out, err } = await run(...argv, "--outputs", written("wrong.json", text));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(problem);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("tells its flags", async () => {
    expect((await run("--help")).out).toContain("Usage: timmerman values CLUSTER");
  });
});
