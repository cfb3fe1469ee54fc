import { nextStep, type Step } from "../core/lifecycle/index.ts";
import { maxStepsPerRun, minWakeDelayMs } from "../core/limits.ts";
import { type NodeClaim, tags } from "../core/model/index.ts";
import { announce, claimEvents } from "./announce.ts";
import { type ClaimDesk, ensureMirror } from "./claim-desk.ts";
import { isolate } from "./report.ts";
import { applyStep } from "./steps.ts";

/** Annotation of a claim whose instance bears its name (Karpenter's, facts §3.6). */
const taggedAnnotation = "karpenter.k8s.aws/tagged";

/** Takes one claim as far as it gets without waiting, and mirrors where it stands. */
export async function advanceClaim(desk: ClaimDesk, record: NodeClaim): Promise<void> {
  const { ports, log } = desk;
  let claim = record;
  for (let steps = 0; steps < maxStepsPerRun; steps++) {
    claim = await nameInstance(desk, claim);
    const step = nextStep(claim, await desk.observe(claim), ports.clock.now());
    if (step.kind === "wait" || step.kind === "launch") {
      if (step.kind === "wait") await waitFor(desk, claim, step);
      await mirrorRecord(desk, claim);
      return;
    }
    const outcome = await applyStep(desk, claim, step);
    if (outcome === "gone") return;
    claim = outcome.claim;
    if (!outcome.more) {
      await mirrorRecord(desk, claim);
      return;
    }
  }
  log.due(ports.clock.now() + minWakeDelayMs);
}

async function waitFor(desk: ClaimDesk, claim: NodeClaim, step: Extract<Step, { kind: "wait" }>): Promise<void> {
  desk.log.due(step.untilMs);
  if (step.reason !== "NodeClassNotReady") return;
  const text = { type: "Warning", reason: step.reason, message: step.message } as const;
  await announce(desk.context.cluster, desk.log, claimEvents(claim, desk.mirrors.get(claim.name), undefined, text));
}

/** Custom resource of the record, if it is missing or behind. */
async function mirrorRecord(desk: ClaimDesk, claim: NodeClaim): Promise<void> {
  if (desk.mirrors.get(claim.name)?.mirroredVersion === claim.version) return;
  await ensureMirror(desk, claim);
}

/** Gives the instance its claim's name, once; until it has it, the launch tag and the record tie them together. */
async function nameInstance(desk: ClaimDesk, claim: NodeClaim): Promise<NodeClaim> {
  const { ports, context, log } = desk;
  const { instance, deletion } = claim;
  if (instance === undefined || deletion !== undefined || claim.annotations[taggedAnnotation] === "true") return claim;
  let named = claim;
  await isolate(log, `tags of ${instance.id}`, ports.clock.now() + minWakeDelayMs, async () => {
    await context.cloud.tag(instance.id, { [tags.name]: claim.name, [tags.nodeClaim]: claim.name });
    const annotations = { ...claim.annotations, [taggedAnnotation]: "true" };
    const written = await ports.store.changeClaim(context.name, claim.name, claim.version, { annotations });
    if (written.kind === "written") named = written.claim;
    else log.due(ports.clock.now() + minWakeDelayMs);
  });
  return named;
}
