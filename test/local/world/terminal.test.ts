import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTerminal } from "../../../local/show/terminal.ts";

function sink(isTTY: boolean) {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 20 }), text: () => parts.join("") };
}

describe("the terminal", () => {
  it("writes plain lines into a pipe, without a status line", () => {
    const { stream, text } = sink(false);
    const terminal = createTerminal(stream, {});
    terminal.status("busy");
    terminal.news(61_000, "ready", "good");
    terminal.end();
    expect(text()).toBe("01:01  ready\n");
  });

  it("repaints a status line that fits the width below the news", () => {
    const { stream, text } = sink(true);
    const terminal = createTerminal(stream, { NO_COLOR: "1" });
    terminal.status("0123456789012345678901234");
    terminal.news(0, "ready");
    terminal.end();
    const line = "0123456789012345678";
    expect(text()).toBe(`${line}\r\u001b[2K00:00  ready\n${line}\r\u001b[2K`);
  });

  it.each([
    ["colours a terminal", true, {}, "\u001b[32mok\u001b[0m"],
    ["respects NO_COLOR", true, { NO_COLOR: "1" }, "ok"],
    ["leaves a dumb terminal plain", true, { TERM: "dumb" }, "ok"],
    ["leaves a pipe plain", false, {}, "ok"],
  ])("%s", (_, isTTY, environment, expected) => {
    expect(createTerminal(sink(isTTY).stream, environment).paint("ok", "good")).toBe(expected);
  });
});
