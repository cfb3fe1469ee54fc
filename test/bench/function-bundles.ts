// Functions as the deployment bundles them: SST's esbuild settings for Node functions (4.17: pkg/runtime/node/build.go; ESM,
// ESNext, `module` before `main`, names kept, a banner that gives CommonJS what it misses) with `minify` and `splitting`. What
// sst.config.ts does before SST builds is done here too, and shared/adapters/ec2/tsconfig.json counts for both.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { writeEc2Client } from "../../stacks/ec2-client.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const functionNames: readonly string[] = readdirSync(`${root}/functions`).sort();

const banner = [
  "import { createRequire as topLevelCreateRequire } from 'module';",
  "const require = topLevelCreateRequire(import.meta.url);",
  'import { fileURLToPath as topLevelFileUrlToPath, URL as topLevelURL } from "url"',
  "const __filename = topLevelFileUrlToPath(import.meta.url)",
  'const __dirname = topLevelFileUrlToPath(new topLevelURL(".", import.meta.url))',
].join("\n");

export interface Bundle {
  /** Of the files that are loaded before the handler can run. */
  readonly bytesAtStart: number;
  /** Of these and all that may be loaded later. What is uploaded has 50 KB more, of files that nothing imports any more. */
  readonly bytesTotal: number;
  /** Sources of the files that are loaded at the start, and of all. */
  readonly sourcesAtStart: readonly string[];
  readonly sources: readonly string[];
  /** The entry's file, below the folder that was written to. */
  readonly entry: string;
}

/**
 * Bundles some functions together, which is faster; their chunks then hold what any of them needs, up to 50 KB more at the
 * start than one by one. `outdir`: where to write.
 */
export async function bundleFunctions(names: readonly string[], outdir?: string): Promise<ReadonlyMap<string, Bundle>> {
  writeEc2Client(root);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}/handler.ts`, out: `${name}/handler` })),
    bundle: true,
    minify: true,
    keepNames: true,
    splitting: true,
    write: outdir !== undefined,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "esnext",
    mainFields: ["module", "main"],
    external: ["sharp", "pg-native"],
    banner: { js: banner },
    outExtension: { ".js": ".mjs" },
    outdir: outdir ?? "bundle",
    logLevel: "error",
  });
  return new Map(names.map((name) => [name, bundleOf(metafile, name)]));
}

function bundleOf({ outputs }: Metafile, name: string): Bundle {
  const [entry] = Object.entries(outputs).find(([, o]) => o.entryPoint === `functions/${name}/handler.ts`)!;
  const reach = (kinds: readonly string[]): readonly string[] => {
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
  const bytesOf = (chunks: readonly string[]) => chunks.reduce((sum, chunk) => sum + outputs[chunk]!.bytes, 0);
  // A source of which nothing is left is in no bundle.
  const sourcesOf = (chunks: readonly string[]) =>
    chunks.flatMap((chunk) =>
      Object.entries(outputs[chunk]!.inputs).flatMap(([source, { bytesInOutput }]) =>
        bytesInOutput > 0 ? source : [],
      ),
    );
  const atStart = reach(["import-statement"]);
  const all = reach(["import-statement", "dynamic-import"]);
  return {
    bytesAtStart: bytesOf(atStart),
    bytesTotal: bytesOf(all),
    sourcesAtStart: sourcesOf(atStart),
    sources: sourcesOf(all),
    entry: `${name}/handler.mjs`,
  };
}
