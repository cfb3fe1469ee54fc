// Stands for queue, event source and schedule: work is delivered, and delivered again when a run fails or its process
// went down.
import { OperationError } from "../../shared/ports/index.ts";
import { Crash } from "./faults.ts";

export type Work = () => Promise<void>;

export interface Deliveries {
  deliver(work: readonly Work[]): Promise<void>;
  /** Removes and returns what is to be delivered again by now. */
  takeDue(): readonly Work[];
  nextDueAtMs(): number | undefined;
}

const retryMs = 2_000;

/** `concurrent`: everything that is due runs at the same time, as several Lambdas would. */
export function createDeliveries(now: () => number, concurrent: boolean, onCrash: () => void): Deliveries {
  const retries: { readonly atMs: number; readonly work: Work }[] = [];
  const attempt = async (work: Work) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Crash) onCrash();
      else if (!(error instanceof OperationError)) throw error;
      retries.push({ atMs: now() + retryMs, work });
    }
  };
  return {
    async deliver(all) {
      if (concurrent) await Promise.all(all.map(attempt));
      else for (const work of all) await attempt(work);
    },
    takeDue() {
      const due = retries.filter(({ atMs }) => atMs <= now());
      for (const retry of due) retries.splice(retries.indexOf(retry), 1);
      return due.map(({ work }) => work);
    },
    nextDueAtMs: () => (retries.length === 0 ? undefined : Math.min(...retries.map(({ atMs }) => atMs))),
  };
}
