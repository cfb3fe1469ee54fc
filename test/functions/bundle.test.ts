// What is deployed: each function bundles by itself, all that it may load stays within a limit, and what it must load before
// its first line runs stays small. `npm run bench -- bundles` measures how long that takes.
import { beforeAll, describe, expect, it } from "vitest";
import { type Bundle, bundleFunctions, functionNames } from "../bench/function-bundles.ts";

const limitBytes = 1_600_000;
const limitAtStartBytes = 650_000;

describe("the bundle of a function", () => {
  let bundles: ReadonlyMap<string, Bundle>;
  beforeAll(async () => {
    // One by one, as they are deployed: bundled together they share chunks, and load what only others need.
    const one = async (name: string) => (await bundleFunctions([name])).get(name)!;
    bundles = new Map(await Promise.all(functionNames.map(async (name) => [name, await one(name)] as const)));
  }, 120_000);

  it.each(functionNames)("%s is small, and smaller at the start", (name) => {
    const { bytesAtStart, bytesTotal } = bundles.get(name)!;
    expect(bytesAtStart).toBeGreaterThan(100_000);
    expect(bytesAtStart).toBeLessThan(limitAtStartBytes);
    expect(bytesTotal).toBeLessThan(limitBytes);
  });

  it.each(functionNames)("%s loads large clients and the shipped catalog late", (name) => {
    const { sourcesAtStart, sources } = bundles.get(name)!;
    const late =
      /cel-js|adapters\/(ec2|s3|kube|eventbridge)\/|client-(ec2|s3|pricing|eventbridge|sts)|xray|default-catalog/;
    expect(sourcesAtStart.filter((source) => late.test(source))).toEqual([]);
    expect(sources.some((source) => source.endsWith("default-catalog/us-east-1.generated.json"))).toBe(true);
  });

  it.each(functionNames)(
    "%s contains nothing that is not deployed, and EC2's and Kubernetes' clients not whole",
    (name) => {
      const foreign =
        /^(local|test|cli|relay|stacks)\/|adapters\/memory\/(cluster|cloud|fleet|catalog)|@kubernetes\/client-node|@aws-sdk\/client-ec2/;
      const { sources } = bundles.get(name)!;
      expect(sources.filter((source) => foreign.test(source))).toEqual([]);
      expect(sources).toContain(".timmerman/client-ec2/dist-es/EC2Client.js");
    },
  );
});
