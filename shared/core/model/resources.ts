/**
 * Amounts by resource name, as integers: `cpu` in milli-CPU, `memory`, `ephemeral-storage` and hugepages in bytes,
 * `pods` and extended resources (GPUs, …) in units. Exact below 2^53. Requests are rounded up, capacities down.
 */
export type Resources = Readonly<Record<string, number>>;
