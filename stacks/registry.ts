import type { AccountRoles } from "./access.ts";
import type { OpenedCluster } from "./cluster-facts.ts";
import type { Storage } from "./storage.ts";

// The clusters as functions find them: one item each in the table. What changes here is picked up without a new release.

export function createRegistry(
  clusters: readonly OpenedCluster[],
  storage: Storage,
  accountRoles: AccountRoles,
): readonly aws.dynamodb.TableItem[] {
  return clusters.map(({ spec, site, facts }) => {
    const roleArn = site.account === undefined ? undefined : accountRoles.get(site.account);
    const document = $jsonStringify({
      name: spec.name,
      region: spec.region,
      endpoint: facts.endpoint,
      caBundle: facts.caBundle,
      serviceCidr: facts.serviceCidr,
      ...(spec.dnsAddress === undefined ? {} : { dnsAddress: spec.dnsAddress }),
      ...(roleArn === undefined ? {} : { roleArn }),
      ...(spec.settings === undefined ? {} : { settings: spec.settings }),
    });
    return new aws.dynamodb.TableItem(`Registry-${spec.name}`, {
      tableName: storage.table.name,
      hashKey: "pk",
      rangeKey: "sk",
      item: $jsonStringify({
        pk: { S: "registry" },
        sk: { S: spec.name },
        region: { S: spec.region },
        document: { S: document },
      }),
    });
  });
}
