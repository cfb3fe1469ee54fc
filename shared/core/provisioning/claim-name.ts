// Names of claims: the pool's name and a hash of what makes the claim unique. Never reused, also after a recovery: the
// epoch is in it. The hash is our own (two FNV-1a passes with different offsets), as the core may use no crypto.

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const suffixLength = 10;
/** A label's value takes 63 characters. */
const maxLength = 63;

function fnv1a(text: string, offset: number): number {
  let hash = offset;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  // Spreads the last characters over all bits; FNV alone leaves the high ones alike for neighbouring inputs.
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 50 bits of hash as ten base-32 characters. */
export function hashSuffix(text: string): string {
  const low = fnv1a(text, 0x811c9dc5);
  const high = fnv1a(`${text}#`, 0x2f0b4f37);
  let suffix = "";
  for (let i = 0; i < suffixLength; i++) {
    const bits = i < 5 ? (low >>> (i * 5)) & 31 : (high >>> ((i - 5) * 5)) & 31;
    suffix += alphabet[bits]!;
  }
  return suffix;
}

/** `<pool>-<hash of cluster uid, epoch, sequence number and index>`, within the limits of a label value. */
export function claimName(
  pool: string,
  head: { readonly clusterUid: string; readonly epoch: string; readonly seq: number },
  index: number,
): string {
  const suffix = hashSuffix(JSON.stringify([head.clusterUid, head.epoch, head.seq, index, pool]));
  const prefix = pool.slice(0, maxLength - suffixLength - 1).replace(/[^a-z0-9]+$/, "");
  return `${prefix}-${suffix}`;
}
