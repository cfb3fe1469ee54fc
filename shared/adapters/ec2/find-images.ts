// Images that selector terms name: terms are OR'd, a term's fields AND'd.

import {
  type DescribeImagesCommandInput,
  type EC2Client,
  type Filter,
  paginateDescribeImages,
} from "@aws-sdk/client-ec2";
import type { Cloud } from "../../ports/index.ts";
import { toCloudImage } from "./answers.ts";
import { tagFilters } from "./selectors.ts";

type Terms = Parameters<Cloud["findImages"]>[0];
type CloudImage = Awaited<ReturnType<Cloud["findImages"]>>[number];

/** Without an owner a public image of a stranger's could answer to a name or tag: our own and Amazon's are looked at. */
const trustedOwners = ["self", "amazon"];

/** Sorted newest first, then by id. A term without any field selects nothing. */
export async function findImages(client: EC2Client, terms: Terms, nowMs: number): Promise<readonly CloudImage[]> {
  const found = new Map<string, CloudImage>();
  for (const term of terms) {
    const query = toQuery(term);
    if (query === undefined) continue;
    for await (const page of paginateDescribeImages({ client }, query)) {
      for (const image of page.Images ?? []) {
        const read = toCloudImage(image, nowMs);
        if (read !== undefined) found.set(read.id, read);
      }
    }
  }
  return [...found.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1));
}

/** An id is looked up by filter, so that an unknown one is absent and not an error; names may hold wildcards. */
function toQuery(term: Terms[number]): DescribeImagesCommandInput | undefined {
  const filters: Filter[] = tagFilters(term.tags);
  if (term.id !== undefined) filters.push({ Name: "image-id", Values: [term.id] });
  if (term.name !== undefined) filters.push({ Name: "name", Values: [term.name] });
  if (filters.length === 0) return undefined;
  const owners = term.owner !== undefined ? [term.owner] : term.id !== undefined ? undefined : trustedOwners;
  return { Filters: filters, IncludeDeprecated: true, ...(owners === undefined ? {} : { Owners: owners }) };
}
