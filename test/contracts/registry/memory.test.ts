import { createMemoryRegistry } from "../../../shared/adapters/memory/registry.ts";
import { runRegistrySuite } from "./suite.ts";

runRegistrySuite("memory", async () => {
  const registry = createMemoryRegistry();
  return {
    registry,
    register: async (registration) => registry.put(registration),
    remove: async (name) => registry.remove(name),
  };
});
