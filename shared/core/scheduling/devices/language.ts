// What selectors of devices are written in: CEL with Kubernetes' functions for quantities and versions. Whoever plans for pods
// with resource claims loads this module first; most clusters have none, and functions start without it.
import { Environment } from "@marcbachmann/cel-js";
import { parseQuantity } from "../../resources/index.ts";
import { Amount, provideLanguage } from "./selectors.ts";
import { semverFunctions } from "./versions.ts";

function deviceEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  env.registerVariable("device", "dyn");
  const amount = "kubernetes.Quantity";
  env.registerType(amount, { ctor: Amount, fields: {} });
  // Capacities of devices are bytes and counts: whole numbers. `memory` stands for any of them.
  env.registerFunction(
    `quantity(string): ${amount}`,
    (text: string) => new Amount(parseQuantity(text, "memory", "up")),
  );
  env.registerFunction(`${amount}.asInteger(): int`, (a: Amount) => BigInt(a.units));
  env.registerFunction(`${amount}.sign(): int`, (a: Amount) => BigInt(Math.sign(a.units)));
  env.registerFunction(`${amount}.compareTo(${amount}): int`, (a: Amount, b: Amount) =>
    BigInt(Math.sign(a.units - b.units)),
  );
  env.registerFunction(`${amount}.isGreaterThan(${amount}): bool`, (a: Amount, b: Amount) => a.units > b.units);
  env.registerFunction(`${amount}.isLessThan(${amount}): bool`, (a: Amount, b: Amount) => a.units < b.units);
  env.registerFunction(`${amount}.add(${amount}): ${amount}`, (a: Amount, b: Amount) => new Amount(a.units + b.units));
  env.registerFunction(`${amount}.sub(${amount}): ${amount}`, (a: Amount, b: Amount) => new Amount(a.units - b.units));
  env.registerOperator(`${amount} == ${amount}`, (a: Amount, b: Amount) => a.units === b.units);
  semverFunctions(env);
  return env;
}

provideLanguage(deviceEnvironment());
