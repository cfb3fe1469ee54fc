import { createMetrics, type Metrics } from "../../../relay/metrics/index.ts";
import { kinds } from "../../../relay/objects.ts";
import { createView, type WritableView } from "../../../relay/view.ts";
import { startMs } from "./kept.ts";
import { parseExposition, type Sample } from "./parse-exposition.ts";

export interface Scraped {
  readonly view: WritableView;
  readonly metrics: Metrics;
  /** Moves the clock; the start is 0. */
  at(seconds: number): void;
  /** Everything listed, as after a start. Objects put before are not new, those after it are. */
  list(): void;
  text(): string;
  /** The lines of one family or series, without HELP and TYPE. */
  lines(prefix: string): readonly string[];
  samples(family: string): readonly Sample[];
}

export interface ScrapeOptions {
  readonly observeClusterState?: boolean;
  readonly leads?: boolean;
}

/** A relay's metrics over an empty view and a clock that stands still. */
export function scraping({ observeClusterState = true, leads = true }: ScrapeOptions = {}): Scraped {
  const view = createView();
  let nowMs = startMs;
  const metrics = createMetrics({
    view,
    clock: { now: () => nowMs },
    observeClusterState,
    replica: {
      version: "1.2.3",
      commit: "abc",
      arch: "x64",
      leaseName: "timmerman-relay",
      isLeader: () => leads,
      pendingTargets: () => [],
    },
  });
  const text = () => [...metrics.pieces()].join("");
  return {
    view,
    metrics,
    at(seconds) {
      nowMs = startMs + seconds * 1000;
    },
    list() {
      for (const kind of kinds) view.endList(kind);
    },
    text,
    lines: (prefix) =>
      text()
        .split("\n")
        .filter((line) => line.startsWith(prefix) && /[{ ]/.test(line[prefix.length] ?? "")),
    samples: (family) => parseExposition(text()).get(family)?.samples ?? [],
  };
}
