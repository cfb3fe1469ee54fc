// Catalogs: read from the market and kept on a shelf for all functions, from files that people write for `timmerman plan`,
// and the default one that the product ships. Answers to Karpenter's pricing and instance type providers, which each
// process of Karpenter's asks and keeps for itself.
export { readCatalogFile } from "./catalog-file.ts";
export { readDefaultCatalog } from "./default-catalog.ts";
export { estimateSpotUsd } from "./estimate-spot.ts";
export { type AwsMarketOptions, createAwsMarket } from "./market.ts";
export { type CatalogShelfOptions, createCatalogShelf } from "./shelf.ts";
export { createShelfSource, type ShelfSourceOptions } from "./shelf-source.ts";
export { defaultCatalogSource } from "./shipped-source.ts";
