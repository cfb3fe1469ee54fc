import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// EC2's client as functions carry it. The schemas of its 780 operations are one file whose keys (`{ [_xN]: … }`) bundlers
// must take for calls, so every bundle has all of them: 550 KB, of which we use 30. Before functions are built, the installed
// package is copied with these keys written out (`{ "xmlName": … }`), and the bundler leaves out by itself what is not used.
// shared/adapters/ec2/tsconfig.json points SST's esbuild, to which SST passes no alias, to the copy; without one the build
// fails. Node and tests, which don't ask tsconfig.json, take the package itself.

const packageName = "@aws-sdk/client-ec2";
/** Of the copy, below the project's root. Not committed. */
export const ec2ClientFolder = ".timmerman/client-ec2";
const schemas = /^dist-es\/schemas\/[^/]+\.js$/;

/**
 * Brings the copy up to the installed package, writing only what differs. Throws if the package is not as it is expected:
 * bundles would have all of EC2's client in them again.
 */
export function writeEc2Client(root: string): void {
  const installed = join(root, "node_modules", packageName);
  const target = join(root, ec2ClientFolder);
  const files = filesOf(installed);
  for (const path of existsSync(target) ? listFiles(target) : []) {
    if (!files.has(path)) rmSync(join(target, path));
  }
  for (const [path, text] of files) writeIfOther(join(target, path), text);
  linkOwnDependencies(join(installed, "node_modules"), join(target, "node_modules"));
}

/** What the copy consists of: texts by path. */
function filesOf(installed: string): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const { name, version, license, sideEffects, module } = manifest;
  if (sideEffects !== false || module !== "./dist-es/index.js") {
    throw new Error(`${packageName} ${version} is laid out in another way than stacks/ec2-client.ts expects`);
  }
  const files = new Map([["package.json", JSON.stringify({ name, version, license, sideEffects, module })]]);
  for (const path of listFiles(installed).filter((file) => /^dist-es\/.*\.js$/.test(file))) {
    const text = readFileSync(join(installed, path), "utf8");
    files.set(path, schemas.test(path) ? withLiteralKeys(text, path) : text);
  }
  return files;
}

/** `[_xN]:` as `"xmlName":`, by the file's own constants. */
function withLiteralKeys(text: string, path: string): string {
  const constants = new Map([...text.matchAll(/^const (\w+) = ("[^"]*");$/gm)].map((match) => [match[1]!, match[2]!]));
  const written = text.replace(/([{,]\s*)\[(\w+)\]:/g, (_whole, before: string, name: string) => {
    const literal = constants.get(name);
    if (literal === undefined) throw new Error(`${packageName}: ${path} has a key [${name}] that is no constant of it`);
    return `${before}${literal}:`;
  });
  if (written === text) throw new Error(`${packageName}: ${path} has no keys that could be written out`);
  return written;
}

/** Paths of all files below a folder, without packages inside of it. */
function listFiles(folder: string, prefix = ""): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    if (entry.name === "node_modules") return [];
    return entry.isDirectory() ? listFiles(folder, `${path}/`) : [path];
  });
}

function writeIfOther(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Where npm gave the package versions of its own of what it needs, the copy must have these too. */
function linkOwnDependencies(from: string, to: string): void {
  rmSync(to, { force: true });
  if (existsSync(from)) symlinkSync(from, to, "junction");
}
