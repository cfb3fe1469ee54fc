// Pages of the Describe actions. A token names the last item that was given, so that items which come or go between two pages
// neither shift the others nor repeat them.
import { Ec2Error } from "./ec2-error.ts";

export interface PageBounds {
  /** Smallest and largest MaxResults that the action takes. */
  readonly least: number;
  readonly most: number;
  /** Size of a page when MaxResults is absent; without one everything is given at once. */
  readonly byDefault?: number;
}

export interface PageRequest {
  readonly NextToken?: string | undefined;
  readonly MaxResults?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly NextToken: string | undefined;
}

/** Cuts a page out of `items`, which must be sorted by `keyOf`. Throws InvalidParameterValue or InvalidNextToken. */
export function cutPage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  request: PageRequest,
  bounds: PageBounds,
): Page<T> {
  const size = request.MaxResults ?? bounds.byDefault ?? items.length;
  if (request.MaxResults !== undefined && (size < bounds.least || size > bounds.most || !Number.isInteger(size))) {
    throw new Ec2Error(
      "InvalidParameterValue",
      `Value ( ${size} ) for parameter maxResults is invalid. Expecting a value between ${bounds.least} and ${bounds.most}.`,
    );
  }
  const after = request.NextToken === undefined || request.NextToken === "" ? undefined : readToken(request.NextToken);
  const from = after === undefined ? 0 : items.findIndex((item) => keyOf(item) > after);
  const slice = from < 0 ? [] : items.slice(from, from + size);
  const more = from >= 0 && from + size < items.length;
  return { items: slice, NextToken: more ? writeToken(keyOf(slice.at(-1)!)) : undefined };
}

function writeToken(key: string): string {
  return Buffer.from(`after:${key}`).toString("base64url");
}

function readToken(token: string): string {
  const text = Buffer.from(token, "base64url").toString();
  if (!text.startsWith("after:")) throw new Ec2Error("InvalidNextToken", "The specified NextToken is not valid.");
  return text.slice("after:".length);
}
