import type { Pod } from "../../model/index.ts";
import { shapeOf } from "../pod-class.ts";
import { classOf, type SolverClass } from "../solver-classes.ts";
import { stagesOf } from "../topology/preferences.ts";
import type { World } from "../world.ts";

/** One pod as a class of its own, which has given in on everything that it merely wishes for and minds no other pods. */
export function classOfPod(world: World, pod: Pod): SolverClass {
  const stage = stagesOf(pod, world.snapshot.settings.preferencePolicy === "Respect") - 1;
  return classOf(world, undefined, { key: "", shape: shapeOf(pod), sample: pod, pods: [pod], stage }, [pod]);
}
