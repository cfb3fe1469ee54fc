import { Document, visit } from "yaml";
import type { PlanDocument } from "./plan-document.ts";

/**
 * Texts that some reader of YAML takes for something else: YAML 1.1 (PyYAML, kubectl) knows more words for true and
 * false than YAML 1.2, numbers with `_` and `:`, dates, and `=` and `<<` by themselves.
 */
const ambiguous = /^([-+.=<~\d]|(y|n|yes|no|on|off|true|false|null)$)/i;

/** The plan as YAML that every reader understands alike. */
export function planYaml(plan: PlanDocument): string {
  const document = new Document(plan, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && ambiguous.test(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
