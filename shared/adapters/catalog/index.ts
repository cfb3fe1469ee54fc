// Catalogs from files: the default one that the product ships, and those that people write for `timmerman plan`. Answers to
// Karpenter's pricing and instance type providers where no AWS is at hand.
export { readCatalogFile } from "./catalog-file.ts";
export { defaultCatalogSource, readDefaultCatalog } from "./default-catalog.ts";
export { estimateSpotUsd } from "./estimate-spot.ts";
