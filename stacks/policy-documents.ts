import type { Statement } from "./policies-ec2.ts";
import { policyText } from "./policy-text.ts";

// Statements of one role, distributed over as many policy documents as they need: the role's own inline one first, which is
// all that most deployments have, then managed ones. IAM allows what any of them allows, and a statement is the same when its
// resources stand in two. What goes where is decided on stand-ins of the same length, because how many policies there are
// must be known before AWS says what its resources are called.

/** IAM's bound for all inline policies of a role, whose blanks it does not count. */
export const maxInlineLength = 10_240;
/** IAM's bound for a managed policy, likewise. */
export const maxManagedLength = 6_144;
/** Managed policies of a role, by IAM's default quota; AWS raises it on request, which nobody should need to know. */
export const maxManagedPolicies = 10;

/** Names that SST and AWS end as they like are as long as stand-ins say, give or take less than this in all. */
const margin = 240;

/** Resources `from` to `to` (exclusive) of a statement. */
interface Piece {
  readonly statement: number;
  readonly from: number;
  readonly to: number;
}

/** For each document its pieces. The first is the inline one. */
export type DocumentPlan = readonly (readonly Piece[])[];

/** Fills one document after the other, in order. Every statement's single resource fits into an empty one. */
export function planDocuments(statements: readonly Statement[]): DocumentPlan {
  const documents: Piece[][] = [[]];
  const frame = lengthOf([]);
  let room = maxInlineLength - margin - frame;
  for (const [at, statement] of statements.entries()) {
    let from = 0;
    while (from < statement.resources.length) {
      const { to, length } = fitting(statement, from, room);
      if (to > from) {
        documents.at(-1)!.push({ statement: at, from, to });
        room -= length;
        from = to;
      } else {
        documents.push([]);
        room = maxManagedLength - margin - frame;
      }
    }
  }
  return documents;
}

/** The statements of one document, of the same list that was planned, or of one that differs in names only. */
export function statementsIn(pieces: readonly Piece[], statements: readonly Statement[]): readonly Statement[] {
  return pieces.map(({ statement, from, to }) => {
    const whole = statements[statement]!;
    return { ...whole, resources: whole.resources.slice(from, to) };
  });
}

/** How many resources from `from` on fit, and what they take with the statement around them. */
function fitting(statement: Statement, from: number, room: number): { readonly to: number; readonly length: number } {
  const around = lengthOf([{ ...statement, resources: [""] }]) - lengthOf([]) - 2;
  // A comma, whether there is a neighbour or not.
  let length = around + 1;
  let to = from;
  for (const resource of statement.resources.slice(from)) {
    const more = resource.length + 3;
    if (length + more > room) break;
    length += more;
    to += 1;
  }
  return { to, length };
}

function lengthOf(statements: readonly Statement[]): number {
  return policyText(statements).replace(/\s/g, "").length;
}
