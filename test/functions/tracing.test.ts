import { Tracer } from "@aws-lambda-powertools/tracer";
import { afterEach, describe, expect, it, vi } from "vitest";
import { handler } from "../../functions/lifecycle/handler.ts";
import { composeOnMemory, context, sqsEvent } from "./invoke.ts";

const wake = (cluster: string) => JSON.stringify({ cluster, target: "lifecycle" });

describe("a traced invocation", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is annotated with the clusters that it is about", async () => {
    const annotated = vi.spyOn(Tracer.prototype, "putAnnotation").mockReturnValue();
    composeOnMemory({ env: { POWERTOOLS_TRACE_ENABLED: "true" } });
    const response = await handler(sqsEvent([wake("green"), wake("green"), wake("amber"), "{"]), context);
    expect(response.batchItemFailures).toHaveLength(4);
    expect(annotated.mock.calls.filter(([name]) => name === "cluster")).toEqual([["cluster", "green amber"]]);
  });

  it("is one where tracing is on, and only there", async () => {
    const annotated = vi.spyOn(Tracer.prototype, "putAnnotation").mockReturnValue();
    composeOnMemory();
    await handler(sqsEvent([wake("green")]), context);
    expect(annotated).not.toHaveBeenCalled();
  });
});
