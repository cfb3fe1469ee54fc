// Every package that `npm ci` brings may be used and passed on: its licence is one of a closed list.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const permissive = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
];

/** Weak copyleft, of tools that we run unchanged and don't pass on. */
const forTools = ["MPL-2.0"];

interface Locked {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly optional?: boolean; readonly dev?: boolean }>
  >;
}

interface Manifest {
  readonly name: string;
  readonly license?: string | { readonly type: string };
  readonly licenses?: readonly { readonly type: string }[];
}

/** A choice ("MIT OR Apache-2.0") needs one that is permissive, a sum ("MIT AND ISC") needs all. */
function isPermissive(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, "");
  return bare
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((licence) => permissive.includes(licence.trim())));
}

function licenceOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const { license, licenses } = manifest;
  if (typeof license === "string") return license;
  return license?.type ?? licenses?.map((l) => l.type).join(" OR ") ?? "none";
}

describe("licences", () => {
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;
  const folders = Object.keys(locked.packages).filter(
    (folder) => folder !== "" && existsSync(join(root, folder, "package.json")),
  );

  it("of all installed packages are permissive", () => {
    expect(folders.length).toBeGreaterThan(100);
    const others = folders.filter((folder) => {
      const licence = licenceOf(folder);
      return !isPermissive(licence) && !(locked.packages[folder]?.dev === true && forTools.includes(licence));
    });
    expect(others).toEqual([]);
  });

  it("are told apart", () => {
    expect(isPermissive("GPL-3.0")).toBe(false);
    expect(isPermissive("(MIT OR GPL-3.0)")).toBe(true);
    expect(isPermissive("MIT AND GPL-3.0")).toBe(false);
  });

  it("come with exact versions", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const ranges = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(ranges.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });
});
