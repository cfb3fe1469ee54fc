// One call from its form body to its answer: read, let the faults strike, run, write.
import { type Action, findAction } from "./actions.ts";
import { Ec2Error } from "./ec2-error.ts";
import { errorOf, type Fault, type Faults } from "./faults.ts";
import { readForm, readInput } from "./protocol/read-request.ts";
import { writeAnswer, writeError } from "./protocol/write-answer.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export interface Outcome {
  readonly action: string;
  /** "ok", "lost", or the error code. */
  readonly name: string;
  readonly answer: Answer | "lost";
}

export interface AnswerContext {
  readonly run: (action: Action, input: object) => object;
  readonly faults: Faults;
  readonly wait: (ms: number) => Promise<void>;
}

/** Never rejects for what a caller sent; a mistake of ours (an answer that doesn't fit the model) rejects. */
export async function answerCall(body: string, requestId: string, context: AnswerContext): Promise<Outcome> {
  let name = "";
  try {
    const form = readForm(body);
    name = form.action;
    const action = findAction(form.action);
    const input = readInput(form, action.operation.input);
    const fault = context.faults.strike(form.action, input);
    const xml = await runUnder(fault, action, input, requestId, context);
    if (xml === "lost") return { action: name, name: "lost", answer: "lost" };
    return { action: name, name: "ok", answer: { status: 200, body: xml, requestId } };
  } catch (error) {
    if (!(error instanceof Ec2Error)) throw error;
    return {
      action: name,
      name: error.code,
      answer: { status: error.status, body: writeError(error, requestId), requestId },
    };
  }
}

async function runUnder(
  fault: Fault | undefined,
  action: Action,
  input: object,
  requestId: string,
  { run, wait }: AnswerContext,
): Promise<string | "lost"> {
  if (fault?.kind === "error-before") throw errorOf(fault);
  if (fault?.kind === "stall") await wait(fault.delayMs);
  const xml = writeAnswer(action.operation.name, action.operation.output, run(action, input), requestId);
  if (fault?.kind === "delay") await wait(fault.delayMs);
  if (fault?.kind === "error-after") throw errorOf(fault);
  return fault?.kind === "lost" ? "lost" : xml;
}
