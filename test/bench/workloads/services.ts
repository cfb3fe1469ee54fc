// Deployments without rules: many small ones, few large ones, with replicas that fall off slowly.
import { seeded } from "../../simulation/chance.ts";
import { deployment, type Manifest } from "./manifests.ts";

const milliCpus = [25, 50, 100, 150, 200, 250, 300, 400, 500, 600, 750, 1000, 1250, 1500, 2000, 3000, 4000];
const memoriesMiB = [64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384];

/** So many pods in Deployments of so many distinct shapes. */
export function unconstrained(count: number, shapes = 300, seed = 7): Manifest[] {
  const random = seeded(seed);
  /** A bell around zero, by the sum of twelve. */
  const bell = () => Array.from({ length: 12 }, random).reduce((total, one) => total + one, -6);
  const sizes = new Map<string, { milliCpu: number; memoryMiB: number }>();
  for (let tries = 0; sizes.size < shapes && tries < 100 * shapes; tries++) {
    const milliCpu = nearest(milliCpus, 300 * Math.exp(bell()));
    // Some two and a half MiB for each thousandth of a core, a factor of two either way.
    const memoryMiB = nearest(memoriesMiB, milliCpu * 2.5 * Math.exp(0.75 * bell()));
    sizes.set(`${milliCpu}/${memoryMiB}`, { milliCpu, memoryMiB });
  }
  const weights = [...sizes.values()].map(() => 1 / (1 + random() * sizes.size) ** 0.7);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = count;
  return [...sizes.values()].map((size, at) => {
    const isLast = at === sizes.size - 1;
    const replicas = isLast ? left : Math.min(left, Math.max(1, Math.floor((count * weights[at]!) / total)));
    left -= replicas;
    return deployment(`service-${String(at).padStart(3, "0")}`, replicas, size);
  });
}

function nearest(among: readonly number[], wanted: number): number {
  const off = (value: number) => Math.abs(Math.log(value / wanted));
  return among.reduce((best, value) => (off(value) < off(best) ? value : best));
}

/** Batch work on whole GPUs beside services without: shapes as training and inference clusters have them. */
export function gpuMixture(count: number, seed = 11): Manifest[] {
  const random = seeded(seed);
  const shapes = [
    { share: 0.2, gpus: 1, milliCpu: 4000, memoryMiB: 15_360 },
    { share: 0.14, gpus: 1, milliCpu: 7000, memoryMiB: 29_000 },
    { share: 0.06, gpus: 2, milliCpu: 16_000, memoryMiB: 61_440 },
    { share: 0.04, gpus: 4, milliCpu: 32_000, memoryMiB: 122_880 },
    { share: 0.06, gpus: 8, milliCpu: 64_000, memoryMiB: 262_144 },
    { share: 0.2, gpus: 0, milliCpu: 1000, memoryMiB: 2048 },
    { share: 0.15, gpus: 0, milliCpu: 4000, memoryMiB: 16_384 },
    { share: 0.1, gpus: 0, milliCpu: 8000, memoryMiB: 12_288 },
    { share: 0.05, gpus: 0, milliCpu: 12_000, memoryMiB: 49_152 },
  ];
  return shapes.map(({ share, gpus, milliCpu, memoryMiB }, at) => {
    const replicas = Math.max(1, Math.round(count * share * (0.9 + 0.2 * random())));
    return deployment(`work-${at}`, replicas, { milliCpu, memoryMiB }, gpus);
  });
}
