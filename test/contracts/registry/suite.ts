import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Registration, Registry } from "../../../shared/ports/index.ts";

export interface RegistryUnderTest {
  readonly registry: Registry;
  /** What the stacks do. */
  register(registration: Registration): Promise<void>;
  remove(name: string): Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** What every registry promises to those who read it. */
export function runRegistrySuite(name: string, make: () => Promise<RegistryUnderTest>, skipBecause?: string): void {
  const skipped = skipBecause === undefined ? "" : ` (skipped: ${skipBecause})`;
  describe.skipIf(skipBecause !== undefined)(`registry on ${name}${skipped}`, () => {
    let made: RegistryUnderTest;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(async () => {
      await made?.stop?.();
    });
    const entry = (name: string, more = "") => ({ name, region: "eu-west-1", document: `{"name":"${name}"${more}}` });

    it("finds what was registered, as it stands now, and nothing else", async () => {
      expect(await made.registry.find("blue")).toBeUndefined();
      expect(await made.registry.list()).toEqual([]);
      await made.register(entry("blue"));
      expect(await made.registry.find("blue")).toEqual(entry("blue"));
      await made.register(entry("blue", ',"serviceCidr":"172.20.0.0/16"'));
      expect(await made.registry.find("blue")).toEqual(entry("blue", ',"serviceCidr":"172.20.0.0/16"'));
      await made.remove("blue");
      expect(await made.registry.find("blue")).toBeUndefined();
    });

    it("lists a thousand by name, with their regions, over as many pages as that takes", async () => {
      const filler = `,"caBundle":"${"A".repeat(1_500)}"`;
      const names = Array.from({ length: 1_000 }, (_, i) => `cluster-${String(i).padStart(4, "0")}`);
      for (let at = 0; at < names.length; at += 20) {
        await Promise.all(names.slice(at, at + 20).map((name) => made.register(entry(name, filler))));
      }
      const listed = await made.registry.list();
      expect(listed.map((registration) => registration.name)).toEqual(names);
      expect(listed[999]).toEqual(entry("cluster-0999", filler));
    });
  });
}
