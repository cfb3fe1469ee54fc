// What the shell needs from outside, named by need. Adapters implement these; controllers know nothing else.
export type * from "./catalog.ts";
export type * from "./claim-store.ts";
export type * from "./clock.ts";
export type * from "./cloud.ts";
export type * from "./cluster.ts";
export * from "./decisions.ts";
export * from "./errors.ts";
export * from "./product.ts";
export type * from "./registry.ts";
export * from "./relay.ts";
export type * from "./telemetry.ts";
export type * from "./wakes.ts";
