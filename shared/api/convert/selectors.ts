import type { WorkloadSelector } from "../../core/model/index.ts";
import { labelSelectorOf } from "./affinity.ts";
import { converting, fieldsOf, textMap } from "./fields.ts";
import { metadataOf } from "./metadata.ts";

/** Whose selector is a plain map of labels. */
const byLabels: ReadonlySet<unknown> = new Set(["Service", "ReplicationController"]);

/** What a Service or workload selects; one without a selector selects nothing. @throws UnreadableObjectError */
export function toWorkloadSelector(document: unknown): WorkloadSelector {
  return converting("workload", document, (written) => {
    const { namespace = "default" } = metadataOf(written);
    const { selector } = fieldsOf(written.spec, "spec");
    const nothing = { matchLabels: {}, matchExpressions: [] };
    if (byLabels.has(written.kind)) {
      return { namespace, selector: { ...nothing, matchLabels: textMap(selector, "spec.selector") } };
    }
    return { namespace, selector: labelSelectorOf(selector, "spec.selector") ?? nothing };
  });
}
