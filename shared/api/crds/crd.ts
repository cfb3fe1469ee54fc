import { stringify } from "yaml";
import { apiVersionOf, type CustomResource } from "../kinds/custom-resource.ts";
import { schemaOf } from "../kinds/index.ts";

/** The CustomResourceDefinition of one of our kinds, as an object. */
export function crdOf(kind: CustomResource<unknown, unknown>): object {
  const { group, version, plural, scale } = kind;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        categories: kind.categories,
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
        singular: kind.kind.toLowerCase(),
      },
      scope: kind.scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: kind.columns.map(({ name, type, jsonPath, wide }) => ({
            name,
            type,
            jsonPath,
            ...(wide === true ? { priority: 1 } : {}),
          })),
          schema: { openAPIV3Schema: schemaOf(apiVersionOf(kind), kind.kind) },
          subresources: { status: {}, ...(scale === undefined ? {} : { scale }) },
        },
      ],
    },
  };
}

/** Name of the file that holds a kind's CRD, under charts/timmerman/files/crds. */
export function crdFileName(kind: CustomResource<unknown, unknown>): string {
  return `${kind.group}_${kind.plural}.yaml`;
}

const header = "# Written by `npm run crds` from shared/api/kinds. Change it there.\n";

/** The CRD of a kind as YAML, the same bytes every time. */
export function crdYaml(kind: CustomResource<unknown, unknown>): string {
  const text = stringify(crdOf(kind), { lineWidth: 0, aliasDuplicateObjects: false });
  return `${header}---\n${text}`;
}
