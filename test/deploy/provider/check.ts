// What the engine asks before anything else: the inputs, completed by what the provider adds to them.
import type { Values } from "./aws.ts";
import type { Kind, Surroundings } from "./kind.ts";

/**
 * Inputs with a physical name, as the real provider makes it (the logical one and seven hexadecimal digits of the seed),
 * or the name that the resource already has.
 */
export function checked(
  kind: Kind,
  logicalName: string,
  olds: Values,
  news: Values,
  around: Surroundings,
  seed: Uint8Array,
): Values {
  const inputs: Values = { ...news };
  if (kind.named !== undefined && inputs[kind.named.property] === undefined) {
    const { property, maxLength, lower } = kind.named;
    const fresh = `${logicalName.slice(0, maxLength - 8)}-${Buffer.from(seed).toString("hex").slice(0, 7)}`;
    inputs[property] = olds[property] ?? (lower === true ? fresh.toLowerCase() : fresh);
  }
  if (kind.tagged === true) inputs.tagsAll = { ...around.defaultTags, ...((news.tags as Values | undefined) ?? {}) };
  return inputs;
}
