// Schema patterns are RE2 expressions that Go matches anywhere in the text; here they run on JavaScript's engine.

const compiled = new Map<string, RegExp | Error>();

const posixClasses: Record<string, string> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  upper: "A-Z",
  space: "\\t\\n\\v\\f\\r ",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** What RE2 and JavaScript write differently: anchors, named groups, leading flags, POSIX classes. */
function translate(pattern: string): { source: string; flags: string } {
  let flags = "";
  let source = pattern.replace(/^\(\?([ims]+)\)/, (_, leading: string) => {
    flags = leading;
    return "";
  });
  source = source
    .replace(/\[:(\w+):\]/g, (all, name: string) => posixClasses[name] ?? all)
    .replace(/\(\?P</g, "(?<")
    .replace(/\\A/g, "^")
    .replace(/\\z/g, "$");
  return { source, flags };
}

/**
 * The compiled form of a pattern, kept for the life of the process: patterns come from schemas, which are few.
 * Lookaheads and back references, which RE2 refuses, are not refused here.
 * @throws SyntaxError if JavaScript cannot read the pattern either
 */
export function patternOf(pattern: string): RegExp {
  let regexp = compiled.get(pattern);
  if (regexp === undefined) {
    regexp = compile(pattern);
    compiled.set(pattern, regexp);
  }
  if (regexp instanceof Error) throw regexp;
  return regexp;
}

function compile(pattern: string): RegExp | Error {
  const { source, flags } = translate(pattern);
  // Unicode mode first, because Go's characters are code points. It forbids needless escapes, which RE2 allows.
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(source, flags + mode);
    } catch (error) {
      if (mode === "") return error as SyntaxError;
    }
  }
  return new SyntaxError(pattern);
}
