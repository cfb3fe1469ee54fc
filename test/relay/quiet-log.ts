import type { Fields, Level, Log } from "../../relay/log.ts";

export interface QuietLog extends Log {
  readonly lines: { readonly level: Level; readonly message: string; readonly fields: Fields }[];
}

/** A log that a test can look into. */
export function quietLog(): QuietLog {
  const lines: QuietLog["lines"] = [];
  const at =
    (level: Level) =>
    (message: string, fields: Fields = {}) => {
      lines.push({ level, message, fields });
    };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
