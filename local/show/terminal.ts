// What a person sees while the world runs: lines of news, and on a terminal a status line that is repainted below them.
// A pipe gets the lines only; NO_COLOR and dumb terminals get no colour.
import type { Writable } from "node:stream";

export interface Terminal {
  /** A line of news, with the world's time since its start. */
  news(atMs: number, text: string, tone?: Tone): void;
  /** Replaces the status line (terminals only). */
  status(text: string): void;
  /** A block of text without time. */
  block(text: string): void;
  /** Removes the status line for good. */
  end(): void;
  paint(text: string, tone: Tone): string;
}

export type Tone = "plain" | "good" | "bad" | "faint" | "strong";

const codes: Record<Tone, string> = { plain: "", good: "32", bad: "31", faint: "2", strong: "1" };

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `environment` decides colour: NO_COLOR (any value) and TERM=dumb turn it off, as does a stream that is no terminal. */
export function createTerminal(
  stream: Writable & { isTTY?: boolean; columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const live = stream.isTTY === true && environment.TERM !== "dumb";
  const colour = live && (environment.NO_COLOR ?? "") === "";
  let shown = "";

  const paint = (text: string, tone: Tone) =>
    colour && tone !== "plain" ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
  const erase = () => {
    if (shown !== "") stream.write("\r\u001b[2K");
  };
  const repaint = () => {
    if (shown !== "") stream.write(shown.slice(0, (stream.columns ?? 80) - 1));
  };
  const above = (text: string) => {
    erase();
    stream.write(`${text}\n`);
    repaint();
  };

  return {
    paint,
    news: (atMs, text, tone = "plain") => above(`${paint(clockText(atMs), "faint")}  ${paint(text, tone)}`),
    block: above,
    status(text) {
      if (!live) return;
      erase();
      shown = text;
      repaint();
    },
    end() {
      erase();
      shown = "";
    },
  };
}
