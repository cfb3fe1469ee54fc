import { randomBytes } from "node:crypto";
import type { Kind } from "../kind.ts";

/** What SST encrypts the values of linked resources with. */
const bytes: Kind = {
  fixed: ["length", "keepers"],
  async create(inputs) {
    const made = randomBytes(Number(inputs.length));
    return { id: made.toString("base64"), outputs: { base64: made.toString("base64"), hex: made.toString("hex") } };
  },
};

export const randomKinds: Readonly<Record<string, Kind>> = { "random:index/randomBytes:RandomBytes": bytes };
