import { describe, expect, it } from "vitest";
import { translate } from "../../../shared/adapters/aws/index.ts";
import { OperationError } from "../../../shared/ports/index.ts";

const sdkError = (name: string, more: object = {}) => Object.assign(new Error("said AWS"), { name, ...more });

describe("an SDK failure", () => {
  it.each([
    ["ThrottlingException", {}, "throttled", "later", false],
    ["ProvisionedThroughputExceededException", {}, "throttled", "later", false],
    ["AccessDeniedException", {}, "unauthorized", "never", false],
    ["CredentialsProviderError", {}, "unauthorized", "never", false],
    ["ValidationException", {}, "bad-request", "never", false],
    ["ResourceNotFoundException", {}, "not-found", "never", false],
    ["QueueDoesNotExist", {}, "not-found", "never", false],
    ["InternalServerError", {}, "unavailable", "later", true],
    ["TimeoutError", {}, "timeout", "later", true],
    ["Error", { code: "ECONNRESET" }, "timeout", "later", true],
    ["Error", { code: "ECONNREFUSED" }, "unavailable", "later", false],
    ["Error", { errno: -104, code: "ESOMETHING" }, "timeout", "later", true],
    ["NewErrorOfTomorrow", { $metadata: { httpStatusCode: 503 } }, "unavailable", "later", true],
    ["NewErrorOfTomorrow", { $metadata: { httpStatusCode: 400 } }, "bad-request", "never", false],
    ["SyntaxError", { $response: {} }, "timeout", "later", true],
  ])("named %s %j is %s, to be tried %s", (name, more, code, retry, outcomeUnknown) => {
    const error = translate(sdkError(name, more), "reading");
    expect(error).toBeInstanceOf(OperationError);
    expect(error).toMatchObject({ code, retry, outcomeUnknown, message: `reading: ${name}: said AWS` });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  it("that is a programmer's mistake stays one, whatever the SDK wrote on it", () => {
    const mistake = Object.assign(new TypeError("x is not a function"), { $metadata: { attempts: 1 } });
    expect(translate(mistake, "reading")).toBe(mistake);
    expect(translate("text", "reading")).toBe("text");
  });

  it("that was translated already stays as it is", () => {
    const error = new OperationError("known", { retry: "now", code: "unavailable" });
    expect(translate(error, "reading")).toBe(error);
  });
});
