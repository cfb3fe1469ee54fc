import { type Clock, type Cloud, OperationError, type Telemetry } from "../ports/index.ts";

/**
 * The same cloud, each call measured: how long it took, and the code of its failure. Answers to Karpenter's metrics around
 * its cloud provider; `method` is one of ours. What EC2 refuses to launch is an answer, and has a metric of its own.
 */
export function measuredCloud(
  cloud: Cloud,
  {
    clock,
    telemetry,
  }: { readonly clock: Pick<Clock, "now">; readonly telemetry: Pick<Telemetry, "count" | "observe"> },
): Cloud {
  async function measure<T>(method: keyof Cloud, call: () => Promise<T>): Promise<T> {
    const startedAtMs = clock.now();
    try {
      return await call();
    } catch (error) {
      const code = error instanceof OperationError ? error.code : "unknown";
      telemetry.count("karpenter_cloudprovider_errors_total", 1, { error: code, method });
      throw error;
    } finally {
      const seconds = Math.max(0, clock.now() - startedAtMs) / 1_000;
      telemetry.observe("karpenter_cloudprovider_duration_seconds", seconds, { method });
    }
  }
  return {
    launch: (request) => measure("launch", () => cloud.launch(request)),
    findByTags: (tags, options) => measure("findByTags", () => cloud.findByTags(tags, options)),
    findByIds: (ids) => measure("findByIds", () => cloud.findByIds(ids)),
    terminate: (ids) => measure("terminate", () => cloud.terminate(ids)),
    tag: (id, tags) => measure("tag", () => cloud.tag(id, tags)),
    resolveNetwork: (terms) => measure("resolveNetwork", () => cloud.resolveNetwork(terms)),
    findReservations: (terms) => measure("findReservations", () => cloud.findReservations(terms)),
    findImages: (terms) => measure("findImages", () => cloud.findImages(terms)),
  };
}
