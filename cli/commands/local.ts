/** `timmerman local`: the embedded world, loaded only here because it brings the AWS and Kubernetes clients along. */
export async function runLocal(argv: readonly string[]): Promise<number> {
  const entry = new URL("../../local/main.ts", import.meta.url).href;
  const { main } = (await import(entry)) as { main(argv: readonly string[]): Promise<number> };
  return await main(argv);
}
