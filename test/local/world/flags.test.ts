import { describe, expect, it } from "vitest";
import { readFlags, UsageError } from "../../../local/flags.ts";

describe("flags of the local world", () => {
  it("have defaults", () => {
    expect(readFlags([])).toEqual({ once: false, json: false, speed: 10, seed: 1, port: 0, files: [], help: false });
  });

  it("are read in both forms", () => {
    const argv = ["--once", "--json", "--speed", "2.5", "--seed=7", "--port=6443", "-f", "a.yaml", "--filename", "b"];
    expect(readFlags(argv)).toEqual({
      once: true,
      json: true,
      speed: 2.5,
      seed: 7,
      port: 6443,
      files: ["a.yaml", "b"],
      help: false,
    });
  });

  it.each([
    [["--speed", "0"], '--speed: "0" is not a number from 0.1 to 200'],
    [["--speed", "fast"], '--speed: "fast" is not a number from 0.1 to 200'],
    [["--seed", "1.5"], '--seed: "1.5" is not a whole number from 0 to 2147483647'],
    [["--port", "70000"], '--port: "70000" is not a whole number from 0 to 65535'],
    [["--port", ""], '--port: "" is not a whole number from 0 to 65535'],
  ])("refuse %j in one line", (argv, message) => {
    expect(() => readFlags(argv)).toThrow(new UsageError(message));
  });

  it("name an unknown flag and the way to help", () => {
    expect(() => readFlags(["--sped", "2"])).toThrow(/--sped.*--help/s);
  });
});
