// What the relay's bundle takes of the client library for Kubernetes: its configuration and its ways to log in, all of
// them. Loaded whole the library takes 60 MB (its typed API and the HTTP client under it, which the relay doesn't call), and
// a relay has 150 for everything.
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { build, type Plugin } from "esbuild";

const client = dirname(createRequire(import.meta.url).resolve("@kubernetes/client-node/dist/config.js"));

/** The library calls the API server with these. Our requests go over our own transport, so nothing reaches them. */
const unreached: Readonly<Record<string, readonly string[]>> = {
  "./gen/index.js": ["createConfiguration", "ServerConfiguration"],
  "./middleware.js": ["setHeaderMiddleware"],
  undici: ["Agent", "ProxyAgent"],
  socks: ["SocksClient"],
};

/** Some kubeconfigs need these, no service account does: a file beside the bundle, which is loaded when one is first used. */
const seldom = ["js-yaml", "jsonpath-plus", "openid-client", "hpagent", "socks-proxy-agent"];
const seldomFile = "kubeconfig-parts.cjs";

/** Cuts the library down while it is bundled. `outdir` gets the file of what is seldom needed. */
export function clientParts(outdir: string): Plugin {
  return {
    name: "client-parts",
    async setup({ onResolve, onLoad, initialOptions }) {
      onResolve({ filter: /.*/ }, ({ path, importer }) => {
        if (path === `./${seldomFile}`) return { path, external: true };
        if (dirname(importer) !== client) return undefined;
        if (path in unreached) return { path, namespace: "unreached" };
        return seldom.includes(path) ? { path, namespace: "seldom" } : undefined;
      });
      onLoad({ filter: /.*/, namespace: "unreached" }, ({ path }) => ({ contents: refusing(path) }));
      onLoad({ filter: /.*/, namespace: "seldom" }, async ({ path }) => ({ contents: await loadingLate(path) }));
      await build({
        stdin: {
          contents: seldom.map((name) => `exports[${JSON.stringify(name)}] = require("${name}");`).join("\n"),
          resolveDir: client,
        },
        outfile: `${outdir}/${seldomFile}`,
        bundle: true,
        minify: true,
        platform: "node",
        format: "cjs",
        target: initialOptions.target ?? "node24",
        legalComments: "external",
        logLevel: "warning",
      });
    },
  };
}

/** Names are exported one by one, so that a library that wants others fails the build. */
function refusing(path: string): string {
  const names = unreached[path] ?? [];
  return names
    .map((name) => `export function ${name}() { throw new Error("${path} is not in the relay's bundle"); }`)
    .join("\n");
}

/** A bundler reads what is imported of a CommonJS module where it is used: these getters load the file then. */
async function loadingLate(name: string): Promise<string> {
  const module: object = await import(createRequire(`${client}/`).resolve(name));
  const names = JSON.stringify(Object.keys(module));
  return `for (const name of ${names})
    Object.defineProperty(exports, name, { enumerable: true, get: () => require("./${seldomFile}")[${JSON.stringify(name)}][name] });`;
}
