// Client tokens: a repeated request does nothing more, a changed one under the same token is refused.
// https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html
import { Ec2Error } from "./ec2-error.ts";
import type { World } from "./world.ts";

const longestToken = 64;

/** Runs `work` unless the token has an answer already; `replay` turns the first answer into the repeated one. */
export function withToken<T>(
  world: World,
  action: string,
  token: string | undefined,
  request: object,
  work: () => T,
  replay: (answer: T) => T = (answer) => answer,
): T {
  if (token === undefined || token === "") return work();
  if (token.length > longestToken || !/^[\x20-\x7e]+$/.test(token)) {
    throw new Ec2Error("InvalidClientToken", `A client token has at most ${longestToken} ASCII characters`);
  }
  const key = `${action}/${token}`;
  const canonical = canonicalText(request);
  const seen = world.tokens.get(key);
  if (seen !== undefined && world.clock.now() < seen.at + world.settings.tokenLifetimeMs) {
    if (seen.request !== canonical) {
      throw new Ec2Error(
        "IdempotentParameterMismatch",
        `The client token ${token} was used before with other parameters`,
      );
    }
    return replay(seen.answer as T);
  }
  const answer = work();
  world.tokens.set(key, { request: canonical, answer, at: world.clock.now() });
  return answer;
}

/** The request as text, with keys in order and the fields that don't take part in the comparison left out. */
function canonicalText(request: object): string {
  return JSON.stringify(request, (key, value: unknown) => {
    if (key === "ClientToken" || key === "DryRun") return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Ends a dry run the way EC2 does, with an error that says it would have worked. */
export function endDryRun(dryRun: boolean | undefined): void {
  if (dryRun === true) {
    throw new Ec2Error("DryRunOperation", "Request would have succeeded, but DryRun flag is set.");
  }
}
