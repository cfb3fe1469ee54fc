import { formatQuantity, isByteResource } from "../resources/index.ts";

const gi = 1_073_741_824;

/** An amount for people: bytes in Gi with at most one decimal. What there is, is rounded down. */
export function atMost(amount: number, resource: string): string {
  return isByteResource(resource) && amount >= gi
    ? inGi(Math.floor((amount / gi) * 10))
    : formatQuantity(amount, resource);
}

/** What is asked for, is rounded up, so that the two never look equal when they are not. */
export function atLeast(amount: number, resource: string): string {
  return isByteResource(resource) && amount >= gi
    ? inGi(Math.ceil((amount / gi) * 10))
    : formatQuantity(amount, resource);
}

function inGi(tenths: number): string {
  return tenths % 10 === 0 ? `${tenths / 10}Gi` : `${Math.floor(tenths / 10)}.${tenths % 10}Gi`;
}
