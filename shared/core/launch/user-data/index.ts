import { maxUserDataBytes } from "../../limits.ts";
import type { AmiFamily } from "../../model/index.ts";
import { al2 } from "./al2.ts";
import { al2023 } from "./al2023.ts";
import { bottlerocket } from "./bottlerocket.ts";
import { UserDataError, type UserDataInput } from "./input.ts";
import { windows } from "./windows.ts";

export { UserDataError, type UserDataInput } from "./input.ts";

const families: Readonly<Record<AmiFamily, (input: UserDataInput) => string>> = {
  AL2: al2,
  AL2023: al2023,
  Bottlerocket: bottlerocket,
  Custom: (input) => input.custom ?? "",
  Windows2019: windows,
  Windows2022: windows,
  Windows2025: windows,
};

/**
 * The text an instance boots with (not base64), the same for the same input. Custom classes bring their own, untouched.
 * Throws UserDataError when the class's own part cannot be combined, or the whole is more than EC2 takes (16 KiB).
 */
export function userDataFor(family: AmiFamily, input: UserDataInput): string {
  const text = families[family](input);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxUserDataBytes) {
    const message = `spec.userData: ${bytes} bytes with the bootstrap part, EC2 takes ${maxUserDataBytes}`;
    throw new UserDataError(message, "too-large");
  }
  return text;
}
