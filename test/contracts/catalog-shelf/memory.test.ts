import { createMemoryCatalogShelf } from "../../../shared/adapters/memory/catalog-shelf.ts";
import { runCatalogShelfSuite } from "./suite.ts";

runCatalogShelfSuite("memory", async () => ({ shelf: createMemoryCatalogShelf(), stop: async () => {} }));
