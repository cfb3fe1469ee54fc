// Links between pages lead somewhere, and the glossary is in reach of whoever needs it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pages, root } from "./pages.ts";

interface Link {
  readonly from: string;
  readonly to: string;
  readonly anchor: string | undefined;
}

const links: readonly Link[] = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file, anchor] = target.split("#") as [string, string | undefined];
      return { from: path, to: file === "" ? path : join(dirname(path), file), anchor };
    }),
);

/** A heading as GitHub makes an anchor of it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

describe("links", () => {
  it("lead to files that there are", () => {
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ to }) => !existsSync(join(root, to)))).toEqual([]);
  });

  it("lead to headings that there are", () => {
    const headings = new Map(
      pages.map(({ path, text }) => [path, [...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!))]),
    );
    const withAnchor = links.filter(({ to, anchor }) => anchor !== undefined && headings.has(to));
    expect(withAnchor.length).toBeGreaterThan(10);
    expect(withAnchor.filter(({ to, anchor }) => !headings.get(to)!.includes(anchor!))).toEqual([]);
  });
});

describe("the glossary", () => {
  const text = pages.find(({ path }) => path === "docs/glossary.md")!.text;
  const words = [...text.matchAll(/^- ((?:\*\*[^*]+\*\*(?:, or |, )?)+)/gm)].flatMap((match) =>
    [...match[1]!.matchAll(/\*\*([^*]+)\*\*/g)].map((word) => word[1]!),
  );

  it("explains each word once, in a few sentences", () => {
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word, at) => words.indexOf(word) < at)).toEqual([]);
    const entries = text.split(/^- /m).slice(1);
    expect(entries.filter((entry) => entry.split(/[.:] /).length > 6)).toEqual([]);
  });

  it.each(["README.md", "docs/deploy.md", "docs/architecture.md", "docs/cost.md"])("is linked from %s", (path) => {
    expect(links.some(({ from, to }) => from === path && to === "docs/glossary.md")).toBe(true);
  });

  it.each([
    ["wake", "docs/architecture.md"],
    ["snapshot", "docs/architecture.md"],
    ["placement", "docs/architecture.md"],
    ["head", "docs/architecture.md"],
    ["epoch", "docs/architecture.md"],
    ["agenda", "docs/architecture.md"],
    ["registry", "docs/deploy.md"],
    ["tick", "docs/deploy.md"],
    ["head", "docs/deploy.md"],
  ])("explains %s, which %s links where it first needs it", (word, path) => {
    expect(words).toContain(word);
    expect(pages.find((page) => page.path === path)!.text).toMatch(new RegExp(`\\[${word}\\]\\((docs/)?glossary\\.md`));
  });
});
