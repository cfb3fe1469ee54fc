// Bundles the relay into one file for its image, with the licences' notices beside it: `npm run build:relay`. Prints the
// size in bytes.
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = `${root}dist/relay/main.mjs`;

await build({
  absWorkingDir: root,
  entryPoints: ["relay/main.ts"],
  outfile,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node24",
  // Packages written for CommonJS ask for Node's own modules by `require`.
  banner: { js: 'import{createRequire as requireForBundle}from"node:module";const require=requireForBundle(import.meta.url);' },
  legalComments: "external",
  logLevel: "warning",
});
process.stdout.write(`dist/relay/main.mjs ${statSync(outfile).size} bytes\n`);
