/** Colours for a terminal; none in a pipe, nor where NO_COLOR is set (no-color.org). */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const sgr = (code: number) => (text: string) => (text === "" ? "" : `\u001b[${code}m${text}\u001b[0m`);
const plain = (text: string): string => text;

export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const isColored = stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return isColored
    ? { bold: sgr(1), dim: sgr(2), red: sgr(31), green: sgr(32), yellow: sgr(33) }
    : { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
}
