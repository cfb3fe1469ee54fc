import type { Statement } from "./policies.ts";

// Statements as the text that IAM takes.

/** A policy document of allowing statements. Those that name no resource (no node roles, say) are left out. */
export function policyText(statements: readonly Statement[]): string {
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: statements
      .filter(({ resources }) => resources.length > 0)
      .map(({ actions, resources, conditions = [] }) => ({
        Effect: "Allow",
        Action: actions,
        Resource: resources,
        ...(conditions.length === 0 ? {} : { Condition: conditionsOf(conditions) }),
      })),
  });
}

/** Conditions of one operator stand together. */
export function conditionsOf(conditions: NonNullable<Statement["conditions"]>): Record<string, unknown> {
  const byTest = Map.groupBy(conditions, ({ test }) => test);
  return Object.fromEntries(
    [...byTest].map(([test, group]) => [
      test,
      Object.fromEntries(group.map(({ variable, values }) => [variable, values])),
    ]),
  );
}

/** Who may take a role: one service, and nobody else of the account. */
export function trustOf(service: string, conditions: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: service },
        Action: "sts:AssumeRole",
        ...(Object.keys(conditions).length === 0 ? {} : { Condition: conditions }),
      },
    ],
  });
}
