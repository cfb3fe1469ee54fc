// Makes sdk.generated.js from the installed @aws-sdk/client-ec2: `npm run ec2:sdk`, after a command was added to the list
// below or the package was updated (test/adapters/ec2/sdk.test.ts says when). The client's schemas are one file with keys
// that bundlers must take for calls (`{ [_xN]: … }`), so every bundle carries those of all 780 operations, 550 KB. Here the
// keys are written out before the same code is bundled, and only what the commands need is left. Everything else of the
// SDK stays an import.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const names = [
  "CreateFleetCommand",
  "CreateLaunchTemplateCommand",
  "CreateTagsCommand",
  "DescribeAvailabilityZonesCommand",
  "EC2Client",
  "paginateDescribeImages",
  "paginateDescribeInstances",
  "paginateDescribeInstanceTypeOfferings",
  "paginateDescribeInstanceTypes",
  "paginateDescribeSecurityGroups",
  "paginateDescribeSpotPriceHistory",
  "paginateDescribeSubnets",
  "TerminateInstancesCommand",
];
const source = "@aws-sdk/client-ec2";

const folder = fileURLToPath(new URL(".", import.meta.url));

const onlyTheClient: Plugin = {
  name: "only-the-client",
  setup(building) {
    building.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path === source ? undefined : { path, external: true, sideEffects: false },
    );
    building.onLoad({ filter: /client-ec2\/package\.json$/ }, () => ({
      contents: JSON.stringify({ version: installed().version }),
      loader: "json",
    }));
    building.onLoad({ filter: /client-ec2\/dist-es\/schemas\/[^/]+\.js$/ }, ({ path }) => ({
      contents: withLiteralKeys(readFileSync(path, "utf8")),
    }));
  },
};

/** `[_xN]:` as `"xmlName":`, by the file's own constants. */
function withLiteralKeys(text: string): string {
  const constants = new Map([...text.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map((match) => [match[1]!, match[2]!]));
  return text.replace(/\[(\w+)\]:/g, (whole, name: string) => {
    const literal = constants.get(name);
    return literal === undefined ? whole : `${literal}:`;
  });
}

function installed(): { readonly version: string; readonly license: string } {
  const path = new URL(`../../../node_modules/${source}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as { version: string; license: string };
}

/** The generated files by name, as they should be for the installed package. */
export async function makeSdk(): Promise<Readonly<Record<"sdk.generated.js" | "sdk.generated.d.ts", string>>> {
  const list = `export {\n${names.map((name) => `  ${name},\n`).join("")}} from "${source}";\n`;
  const { outputFiles } = await build({
    stdin: { contents: list, resolveDir: folder },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "esnext",
    mainFields: ["module", "main"],
    treeShaking: true,
    plugins: [onlyTheClient],
  });
  const { version, license } = installed();
  const head = `// Made by \`npm run ec2:sdk\` (build-sdk.ts) from ${source} ${version} (${license}, Copyright Amazon.com, Inc.).\n`;
  return {
    "sdk.generated.js": head + outputFiles[0]!.text.replace(/^\/\/ .*node_modules\//gm, "// "),
    "sdk.generated.d.ts": head + list.replace("export {", 'export type * from "@aws-sdk/client-ec2";\nexport {'),
  };
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await makeSdk())) {
    writeFileSync(`${folder}${name}`, text);
    process.stdout.write(`${name}: ${text.length} characters\n`);
  }
}
