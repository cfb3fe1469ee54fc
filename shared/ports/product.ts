/** How this product names itself to the services it calls. The version is package.json's; a test holds them together. */
export const product = { name: "timmerman", version: "0.1.0" } as const;
