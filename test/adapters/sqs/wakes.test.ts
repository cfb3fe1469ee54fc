import { afterEach, describe, expect, it } from "vitest";
import { createSqsClient, createSqsWakes, parseWake, WakeError } from "../../../shared/adapters/sqs/index.ts";
import type { Wake } from "../../../shared/ports/index.ts";
import { type HttpDouble, startHttpDouble } from "../http-double.ts";

const wakeTo = (target: Wake["target"]): Wake => ({ cluster: "blue", target });

describe("wakes that SQS does not take", () => {
  let double: HttpDouble | undefined;
  afterEach(() => double?.stop());

  async function over(answer: Parameters<typeof startHttpDouble>[0], speed = 1) {
    double = await startHttpDouble(answer);
    const client = createSqsClient({
      region: "us-east-1",
      endpoint: double.url,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    const urlOf = (name: string) => `${double?.url}/123456789012/${name}`;
    const queueUrls = {
      provision: urlOf("provision"),
      disrupt: urlOf("disrupt"),
      lifecycle: urlOf("lifecycle"),
      "resolve-node-classes": urlOf("resolve"),
      "collect-garbage": urlOf("collect"),
    };
    return createSqsWakes({ client, queueUrls, speed });
  }
  const refusing = (SenderFault: boolean) => ({
    Successful: [],
    Failed: [{ Id: "0", Code: "InternalError", Message: "busy", SenderFault }],
  });

  it("are said to be unsent, to be sent later or never", async () => {
    const wakes = await over((_target, { QueueUrl }) => refusing(String(QueueUrl).endsWith("disrupt")));
    await expect(wakes.send(wakeTo("provision"))).rejects.toMatchObject({
      retry: "later",
      code: "unavailable",
      message: "sending 1 wakes to provision: 1 refused: InternalError: busy",
    });
    await expect(wakes.send(wakeTo("disrupt"))).rejects.toMatchObject({ retry: "never", code: "bad-request" });
  });

  it("keep no others back", async () => {
    const wakes = await over((_target, { QueueUrl }) =>
      String(QueueUrl).endsWith("provision") ? { error: "AccessDeniedException" } : { Successful: [], Failed: [] },
    );
    const all = [wakeTo("provision"), wakeTo("disrupt"), wakeTo("lifecycle")].map((wake) => ({ wake }));
    await expect(wakes.sendAll(all)).rejects.toMatchObject({ code: "unauthorized", retry: "never" });
    expect(double?.requests).toHaveLength(3);
  });

  it("to a queue that is not there name it", async () => {
    const wakes = await over(() => ({ error: "com.amazonaws.sqs#QueueDoesNotExist" }));
    await expect(wakes.send(wakeTo("lifecycle"))).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("sending 1 wakes to lifecycle"),
    });
  });

  it("wait as long as their own clock takes, in whole seconds, rounded up", async () => {
    const wakes = await over(() => ({ Successful: [], Failed: [] }), 20);
    await wakes.send(wakeTo("lifecycle"), 30_000);
    await wakes.send(wakeTo("lifecycle"));
    const delays = double?.requests.map(({ body }) => (body.Entries as { DelaySeconds: number }[])[0]?.DelaySeconds);
    expect(delays).toEqual([2, 0]);
  });
});

describe("a message's body", () => {
  it("is a wake, with what is not known left out", () => {
    expect(parseWake('{"cluster":"blue-1","target":"disrupt","atLeast":"7","more":1}')).toEqual({
      cluster: "blue-1",
      target: "disrupt",
      atLeast: "7",
    });
  });

  it.each(["7", '""', '"abc"', '"-1"', '"0x1f"', '" 7"', "null"])(
    "asks for nothing by a version that is none: %s",
    (atLeast) => {
      const wake = { cluster: "a", target: "disrupt" };
      expect(parseWake(`{"cluster":"a","target":"disrupt","atLeast":${atLeast}}`)).toEqual(wake);
    },
  );

  it.each([
    ["{", 'the wake is not JSON: send {"cluster":"…","target":"…"}'],
    ["null", "the wake is no JSON object"],
    ['{"target":"disrupt"}', "the wake's cluster must be an EKS cluster's name, not undefined"],
    ['{"cluster":"a#b","target":"disrupt"}', "the wake's cluster must be an EKS cluster's name, not \"a#b\""],
    ['{"cluster":"a","target":"toString"}', "the wake's target must be one of provision, disrupt, lifecycle"],
  ])("is refused by field: %s", (body, message) => {
    expect(() => parseWake(body)).toThrow(WakeError);
    expect(() => parseWake(body)).toThrow(message);
  });
});
