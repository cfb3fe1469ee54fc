// The pages that people read, as text.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

export const pages: readonly Page[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map((path) => ({ path, text: readFileSync(`${root}${path}`, "utf8") }));

/** Blocks of code, fenced or indented: what is pasted. */
export function codeOf(text: string): string {
  let isInside = false;
  const lines = text.split("\n").filter((line) => {
    const isFence = /^ *```/.test(line);
    if (isFence) isInside = !isInside;
    return !isFence && (isInside || /^ {4}\S/.test(line));
  });
  return lines.join("\n");
}
