import { randomBytes } from "node:crypto";
import type { Ids } from "../ports/index.ts";

const idBytes = 15;
const base32 = "abcdefghijklmnopqrstuvwxyz234567";

/** 24 letters and digits, 120 bits of chance. */
export const randomIds: Ids = {
  next: () =>
    [...randomBytes(idBytes)]
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("")
      .replace(/.{5}/g, (bits) => base32[Number.parseInt(bits, 2)]!),
};
