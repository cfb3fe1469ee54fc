import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseConfig } from "../../shared/runtime/config.ts";
import { environment } from "./environment.ts";

it("docs/configuration.md names every variable that is read", () => {
  const asked = new Set<string>();
  const recorder = new Proxy<Record<string, string | undefined>>(
    { ...environment },
    {
      get(target, name) {
        asked.add(String(name));
        return target[String(name)];
      },
    },
  );
  parseConfig(recorder);
  const text = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  // Rows name families of variables once and then by what differs: `…_SQS`.
  const isNamed = (name: string) =>
    text.includes(`\`${name}\``) ||
    [...text.matchAll(/`…(_[A-Z0-9_]+)`/g)].some(([, ending]) => name.endsWith(ending!));
  expect([...asked].filter((name) => !isNamed(name))).toEqual([]);
  expect(asked.size).toBeGreaterThan(20);
});
