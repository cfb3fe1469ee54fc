import type { ClaimPhase, Command, Launch, NodeClaim } from "../model/index.ts";

/**
 * Where a claim stands, from its evidence alone. `launch` is the launch item that its record names, `command` the open
 * command that it is a candidate of. A claim in an unsettled launch is Launching even when it is to go: nobody knows yet
 * whether it has an instance.
 */
export function phaseOf(claim: NodeClaim, launch?: Launch, command?: Command): ClaimPhase {
  if (claim.goneAtMs !== undefined) return "Gone";
  if (claim.instance === undefined) {
    if (claim.launch !== undefined && launch?.settledAtMs === undefined) return "Launching";
    return claim.deletion === undefined ? "Pending" : "Terminating";
  }
  if (claim.terminateCalledAtMs !== undefined) return "Terminating";
  if (claim.deletion !== undefined) return "Draining";
  if (command !== undefined) return "Disrupting";
  if (claim.initializedAtMs !== undefined) return "Initialized";
  return claim.registeredAtMs === undefined ? "Launched" : "Registered";
}
