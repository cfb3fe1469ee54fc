import { createMemoryWakes } from "../../../shared/adapters/memory/wakes.ts";
import type { Wake } from "../../../shared/ports/index.ts";
import { runWakesSuite } from "./suite.ts";

runWakesSuite("memory", async () => {
  let nowMs = 1_760_000_000_000;
  const wakes = createMemoryWakes({ now: () => nowMs });
  const arrived: Wake[] = [];
  return {
    wakes,
    async receive(target, afterMs) {
      nowMs += afterMs;
      arrived.push(...wakes.takeDue());
      const mine = arrived.filter((wake) => wake.target === target);
      for (const wake of mine) arrived.splice(arrived.indexOf(wake), 1);
      return mine;
    },
  };
});
