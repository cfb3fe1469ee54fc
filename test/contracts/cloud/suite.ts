// What every Cloud does, whatever is behind it: the fleet endpoint through the real adapter, the memory adapter, moto.
// A subject says what its world holds and which of the controls it has.
import { afterAll, beforeAll, describe } from "vitest";
import { instanceCases } from "./instance-cases.ts";
import { launchCases } from "./launch-cases.ts";
import { resolveCases } from "./resolve-cases.ts";
import { type CloudSubject, Context, type Need } from "./subject.ts";

/** Registers the suite. `makeSubject` is called once; the tests that need what the subject lacks are skipped. */
export function runCloudSuite(
  name: string,
  makeSubject: () => Promise<CloudSubject>,
  { lacks = [] }: { readonly lacks?: readonly Need[] } = {},
): void {
  describe(`Cloud: ${name}`, () => {
    let subject: CloudSubject | undefined;
    beforeAll(async () => {
      subject = await makeSubject();
    });
    afterAll(async () => {
      await subject?.close();
    });
    const context = new Context(() => {
      if (subject === undefined) throw new Error("the subject isn't made before the tests run");
      return subject;
    }, lacks);
    launchCases(context);
    instanceCases(context);
    resolveCases(context);
  });
}
