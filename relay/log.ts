export type Level = "debug" | "info" | "warn" | "error";

export type Fields = Readonly<Record<string, unknown>>;

/** One line of JSON for each call: level, time, message, then the fields. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export const levels: readonly Level[] = ["debug", "info", "warn", "error"];

export interface LogOptions {
  readonly level: Level;
  now(): number;
  write(line: string): void;
  /** Stands in every line. */
  readonly fields?: Fields;
}

export function createLog({ level, now, write, fields: always = {} }: LogOptions): Log {
  const least = levels.indexOf(level);
  const at = (which: Level) => (message: string, fields: Fields) => {
    if (levels.indexOf(which) < least) return;
    const time = new Date(now()).toISOString();
    write(JSON.stringify({ level: which.toUpperCase(), time, message, ...always, ...fields }));
  };
  const [debug, info, warn, error] = levels.map(at) as [Log["info"], Log["info"], Log["info"], Log["info"]];
  return { debug, info, warn, error };
}

/** What an error says, with what caused it; never a stack, which helps nobody who reads a cluster's logs. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && error.cause.message !== error.message ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
