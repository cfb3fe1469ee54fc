import { createRefreshCatalog } from "../../controllers/refresh-catalog.ts";
import { refreshCatalogHandler } from "../refresh-catalog-handler.ts";

export const refreshCatalog = refreshCatalogHandler(createRefreshCatalog);
