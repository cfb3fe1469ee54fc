// A structural-schema engine for CustomResourceDefinitions: defaults, pruning, validation, CEL rules.
// It answers to apiextensions-apiserver, which Karpenter leans on for all of this; here the same engine serves the
// command line, the controllers and the embedded Kubernetes API, so that all three give the cluster's verdicts.
// On purpose absent: rule cost budgets, format validators that no schema here uses, and `$ref`.
export { applyDefaults } from "./defaults.ts";
export type { FieldError } from "./field-error.ts";
export { causeReason, printFieldError, printFieldErrorBody } from "./field-error.ts";
export { prune } from "./prune.ts";
export type { Json, JsonObject, JsonSchemaProps } from "./types.ts";
export { validate } from "./validate.ts";
