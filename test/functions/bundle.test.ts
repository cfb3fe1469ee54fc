// What is deployed: each function bundles by itself, and what it must load before its first line runs stays small. The
// clients of EC2 and Kubernetes are loaded when they are used; tick and interrupt mostly never do.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const functions = readdirSync(`${root}/functions`);
const limitBytes = 850 * 1024;

interface Bundle {
  /** Of the chunks that are loaded at the start. */
  readonly bytesAtStart: number;
  readonly filesAtStart: readonly string[];
  readonly files: readonly string[];
}

/** All in one build, which parses everything once. */
async function bundleAll(): Promise<ReadonlyMap<string, Bundle>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: functions.map((name) => `functions/${name}/handler.ts`),
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node24",
    outdir: "bundle",
    logLevel: "error",
  });
  const { outputs } = metafile;
  const reach = (entry: string, kinds: readonly string[]): readonly string[] => {
    const seen = new Set<string>();
    const follow = (chunk: string) => {
      if (seen.has(chunk)) return;
      seen.add(chunk);
      for (const { path, kind, external } of outputs[chunk]?.imports ?? []) {
        if (kinds.includes(kind) && external !== true) follow(path);
      }
    };
    follow(entry);
    return [...seen];
  };
  const filesOf = (chunks: readonly string[]) => chunks.flatMap((chunk) => Object.keys(outputs[chunk]!.inputs));
  return new Map(
    functions.map((name) => {
      const [entry] = Object.entries(outputs).find(([, o]) => o.entryPoint === `functions/${name}/handler.ts`)!;
      const atStart = reach(entry, ["import-statement"]);
      return [
        name,
        {
          bytesAtStart: atStart.reduce((sum, chunk) => sum + outputs[chunk]!.bytes, 0),
          filesAtStart: filesOf(atStart),
          files: filesOf(reach(entry, ["import-statement", "dynamic-import"])),
        },
      ];
    }),
  );
}

describe("the bundle of a function", () => {
  let bundles: ReadonlyMap<string, Bundle>;
  beforeAll(async () => {
    bundles = await bundleAll();
  }, 120_000);

  it.each(functions)("%s is small at the start and contains nothing that is not deployed", (name) => {
    const { bytesAtStart, filesAtStart, files } = bundles.get(name)!;
    expect(bytesAtStart).toBeGreaterThan(100 * 1024);
    expect(bytesAtStart).toBeLessThan(limitBytes);
    expect(filesAtStart.filter((file) => /client-ec2|@kubernetes|xray|client-eventbridge/.test(file))).toEqual([]);
    expect(files.some((file) => file.includes("client-ec2"))).toBe(true);
    expect(files.filter((file) => /^(local|test|cli)\/|adapters\/memory\/(cluster|cloud|fleet)/.test(file))).toEqual(
      [],
    );
  });
});
