/** Something in flags or files that people can mend: its message is one line that names where and what. */
export class InputError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message.replaceAll(/\p{Cc}+/gu, " ").trim(), options);
    this.name = "InputError";
  }
}
