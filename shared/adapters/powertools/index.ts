// What operators see, through Powertools: metrics as EMF lines in the log (Karpenter's metric names, no scraping), log
// lines as JSON with cluster and claim keys, traces where X-Ray is on.
export { createPowertoolsTelemetry, type PowertoolsTelemetry } from "./telemetry.ts";
