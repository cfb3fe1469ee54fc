// Bundles the relay for its image, with the licences' notices beside it: `npm run build:relay`. What a pod never loads (the
// SDK's other ways to log in, what only kubeconfigs need) stays in files of its own, which costs no memory. Prints the sizes.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { clientParts } from "./bundle-client.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const outdir = "dist/relay";

rmSync(`${root}${outdir}`, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["relay/main.ts"],
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  platform: "node",
  format: "esm",
  target: "node24",
  // Packages written for CommonJS ask for Node's own modules by `require`.
  banner: {
    js: 'import{createRequire as requireForBundle}from"node:module";const require=requireForBundle(import.meta.url);',
  },
  legalComments: "external",
  logLevel: "warning",
  plugins: [clientParts(`${root}${outdir}`)],
});

/** What is loaded at the start in a pod: static imports only. */
function startBytes(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) return 0;
  seen.add(file);
  const output = metafile.outputs[file];
  if (output === undefined) return 0;
  const loaded = output.imports.filter(({ kind, external }) => kind === "import-statement" && external !== true);
  return output.bytes + loaded.reduce((sum, { path }) => sum + startBytes(path, seen), 0);
}

const code = Object.entries(metafile.outputs).filter(([file]) => file.endsWith(".mjs"));
const allBytes = code.reduce((sum, [, { bytes }]) => sum + bytes, 0);
const entry = `${outdir}/main.mjs`;
process.stdout.write(`${entry}: ${startBytes(entry)} bytes at the start, ${allBytes} in ${code.length} files\n`);
