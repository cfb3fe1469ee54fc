import type { Statement } from "./policies-ec2.ts";
import { type DocumentPlan, statementsIn } from "./policy-documents.ts";
import { policyText } from "./policy-text.ts";

// The managed policies of roles whose statements do not fit into one: none, as a rule. They are this role's alone.

/**
 * Makes a policy for each of these documents and gives the ARNs, to be attached to a role that is called `roleName`. `title`:
 * of the role, for the resources' names.
 */
export function attachable(
  title: string,
  roleName: string,
  statements: $util.Output<readonly Statement[]>,
  documents: DocumentPlan,
  options: { readonly provider?: aws.Provider },
): $util.Output<string>[] {
  return documents.map((pieces, at) => {
    const policy = new aws.iam.Policy(
      `${title}Policy${at + 1}`,
      {
        name: `${roleName}-${at + 1}`,
        description: `timmerman ${$app.stage}: what does not fit into the policy of ${roleName}`,
        policy: statements.apply((all) => policyText(statementsIn(pieces, all))),
      },
      options,
    );
    return policy.arn;
  });
}
