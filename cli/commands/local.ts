/** `timmerman local`: the embedded world, loaded only here because it brings the AWS and Kubernetes clients along. */
export async function runLocal(argv: readonly string[]): Promise<number> {
  const { main } = await import("../../local/main.ts");
  return await main(argv);
}
