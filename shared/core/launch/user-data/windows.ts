import { kubeletFlags, singleQuoted, type UserDataInput } from "./input.ts";

/** A PowerShell block: the class's own lines, then a call of the image's bootstrap script. */
export function windows(input: UserDataInput): string {
  const quoted = (value: string) => singleQuoted(value, "powershell");
  const own = (input.custom ?? "")
    .replace(/\r\n/g, "\n")
    .replace(/<\/?powershell>/g, "")
    .trim();
  const call = [
    "& $EKSBootstrapScriptFile",
    `-EKSClusterName ${quoted(input.clusterName)}`,
    `-APIServerEndpoint ${quoted(input.endpoint)}`,
    `-Base64ClusterCA ${quoted(input.caBundle)}`,
    ...(input.dnsAddress === undefined ? [] : [`-DNSClusterIP ${quoted(input.dnsAddress)}`]),
    `-KubeletExtraArgs ${quoted(kubeletFlags(input).join(" "))}`,
    "3>&1 4>&1 5>&1 6>&1",
  ].join(" ");
  return [
    "<powershell>",
    ...(own === "" ? [] : [own]),
    '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
    call,
    "</powershell>",
    "",
  ].join("\n");
}
