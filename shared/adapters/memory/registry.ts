import type { Registration, Registry } from "../../ports/index.ts";

export interface MemoryRegistry extends Registry {
  put(registration: Registration): void;
  remove(name: string): void;
}

/** A registry in memory, and the stacks' part in it. */
export function createMemoryRegistry(registrations: readonly Registration[] = []): MemoryRegistry {
  const byName = new Map(registrations.map((registration) => [registration.name, registration]));
  return {
    find: async (name) => byName.get(name),
    list: async () => [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    put: (registration) => void byName.set(registration.name, registration),
    remove: (name) => void byName.delete(name),
  };
}
