// The client library as the relay's bundle carries it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientParts } from "../../relay/bundle-client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bundle-client-"));
let inputs: readonly string[];

/** Prints what a request of the usual configuration would carry. */
const entry = `
  import { usualConnection } from "./shared/adapters/kube/kubeconfig.ts";
  const options = {};
  await usualConnection().applyToHTTPSOptions(options);
  const { headers, agent } = options;
  console.log(JSON.stringify({ authorization: headers.Authorization, proxy: agent.proxy ?? null }));
`;

beforeAll(async () => {
  const { metafile } = await build({
    stdin: { contents: entry, resolveDir: root },
    outfile: join(folder, "entry.mjs"),
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node24",
    banner: {
      js: 'import{createRequire as requireForBundle}from"node:module";const require=requireForBundle(import.meta.url);',
    },
    plugins: [clientParts(folder)],
  });
  inputs = Object.keys(metafile.inputs);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(user: object, cluster: object = {}): unknown {
  const config = {
    "current-context": "x",
    clusters: [{ name: "c", cluster: { server: "https://api.example.com", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
  };
  writeFileSync(join(folder, "config"), JSON.stringify(config));
  const env = { KUBECONFIG: join(folder, "config") };
  return JSON.parse(execFileSync(process.execPath, [join(folder, "entry.mjs")], { env, encoding: "utf8" }));
}

it("is its configuration, without the typed API and the HTTP client", () => {
  expect(inputs.some((path) => path.endsWith("@kubernetes/client-node/dist/config.js"))).toBe(true);
  const heavy = /client-node\/dist\/gen\/|node_modules\/(undici|openid-client|hpagent|socks|js-yaml|jsonpath-plus)\//;
  expect(inputs.filter((path) => heavy.test(path) && !path.includes(":"))).toEqual([]);
});

it.each([
  ["tokens", { token: "t" }, {}, null],
  [
    "programs",
    { exec: { command: process.execPath, args: ["-e", `console.log('{"status":{"token":"t"}}')`] } },
    {},
    null,
  ],
  ["proxies", { token: "t" }, { "proxy-url": "http://127.0.0.1:1" }, "http://127.0.0.1:1/"],
  ["SOCKS proxies", { token: "t" }, { "proxy-url": "socks5://127.0.0.1:1" }, { host: "127.0.0.1", port: 1, type: 5 }],
])("still knows %s", (_what, user, cluster, proxy) => {
  expect(run(user, cluster)).toEqual({ authorization: "Bearer t", proxy });
});

it("still knows OpenID Connect", () => {
  const lasting = `e30.${Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString("base64url")}.e30`;
  const config = {
    "id-token": lasting,
    "client-id": "c",
    "idp-issuer-url": "https://127.0.0.1:1",
    "refresh-token": "r",
  };
  expect(run({ "auth-provider": { name: "oidc", config } })).toMatchObject({ authorization: `Bearer ${lasting}` });
});
