// What functions may do in another account, by the role that they act as there, is what they may do in their own.
import { expect, it } from "vitest";
import { clusterFunctionNames } from "../../stacks/names.ts";
import { statementsFor } from "../../stacks/policies.ts";
import { foreignStatements, type Statement } from "../../stacks/policies-ec2.ts";
import { placesAhead } from "../../stacks/policy-sizes.ts";
import { amber, blue, home } from "./specs.ts";

/** Actions on EC2 and IAM, each with the kinds of resource that it is allowed on. */
function rights(statements: readonly Statement[]): readonly string[] {
  const pairs = statements.flatMap(({ actions, resources }) =>
    actions
      .filter((action) => /^(ec2|iam):/.test(action))
      .flatMap((action) =>
        resources.map((resource) => `${action} on ${resource.split(":").at(-1)!.replace(/\/.*/, "")}`),
      ),
  );
  return [...new Set(pairs)].sort();
}

it("a role in another account has what the functions have at home, all of it and no more", () => {
  const given = { deployment: { region: home }, clusters: [blue, amber] };
  const atHome = clusterFunctionNames.flatMap((name) =>
    statementsFor(name, placesAhead(given, "timmerman-production", name)),
  );
  const places = { partition: "aws", account: "222222222222", deployment: "timmerman-production" };
  const elsewhere = foreignStatements({ ...places, clusterRegions: [home], nodeRoles: amber.nodeRoles });
  expect(rights(elsewhere)).toEqual(rights(atHome));
  expect(rights(elsewhere).length).toBeGreaterThan(20);
});
