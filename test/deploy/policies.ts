// IAM as it is deployed, in a form that can be compared: the same statement may be written in several ways.
import type { Account } from "./account.ts";
import { prefix } from "./deployment.ts";
import type { Values } from "./provider/aws.ts";

export interface DeployedRole {
  readonly name: string;
  /** Who may take it. */
  readonly trust: readonly Values[];
  readonly statements: readonly Values[];
  readonly managedPolicies: readonly string[];
}

/** The roles that this deployment has made, by what their names begin with. */
export async function readRoles({ aws }: Account): Promise<readonly DeployedRole[]> {
  const { Roles } = await aws("iam", "ListRoles", { MaxItems: 1_000 });
  const own = (Roles as Values[]).filter(({ RoleName }) => /^(timmerman-test|Relay)-/.test(String(RoleName)));
  return Promise.all(
    own.map(async ({ RoleName, AssumeRolePolicyDocument }) => {
      const { PolicyNames } = await aws("iam", "ListRolePolicies", { RoleName });
      const policies = await Promise.all(
        (PolicyNames as string[]).map((PolicyName) => aws("iam", "GetRolePolicy", { RoleName, PolicyName })),
      );
      const { AttachedPolicies } = await aws("iam", "ListAttachedRolePolicies", { RoleName });
      return {
        name: String(RoleName),
        trust: statementsOf(AssumeRolePolicyDocument),
        statements: policies.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument)),
        managedPolicies: (AttachedPolicies as Values[]).map(({ PolicyName }) => String(PolicyName)),
      };
    }),
  );
}

/** The role of a function, which SST names after its component. */
export function roleOf(roles: readonly DeployedRole[], component: string): DeployedRole {
  const found = roles.filter(({ name }) => name.startsWith(`${prefix}-${component}Role-`));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${component} has ${found.length} roles, not one`);
  return found[0];
}

/** Statements with lists for single values, in order, so that equal ones are equal. */
export function statementsOf(document: unknown): readonly Values[] {
  const { Statement } = (typeof document === "string" ? JSON.parse(document) : document) as { Statement: Values[] };
  return Statement.map((statement) => normal(statement) as Values);
}

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== "object" || value === null) return [value];
  const entries = Object.entries(value).map(([key, one]) => [key, key === "Effect" ? one : normal(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
