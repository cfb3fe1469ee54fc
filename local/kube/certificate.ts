// A self-signed certificate for 127.0.0.1. kubectl sends its token over TLS only, and Node makes keys but no certificates, so the
// few DER structures of RFC 5280 are written here.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const sequence = 0x30;
const set = 0x31;
const integer = 0x02;
const bitString = 0x03;
const octetString = 0x04;
const objectId = 0x06;
const utf8String = 0x0c;
const boolean = 0x01;
const utcTime = 0x17;
const explicit = (tag: number): number => 0xa0 + tag;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(objectId, Buffer.from(bytes));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [der(boolean, Buffer.from([0xff]))] : [];
  return der(sequence, oid(id), ...flag, der(octetString, value));
}

function time(epochMs: number): Buffer {
  const text = new Date(epochMs).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(utcTime, Buffer.from(`${text}Z`, "ascii"));
}

function pem(label: string, body: Buffer): string {
  const lines = body.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

const dayMs = 86_400_000;
const validDays = 365;

export interface Certificate {
  key: string;
  /** The certificate, which is its own authority: what a kubeconfig names as certificate authority. */
  cert: string;
}

/** @param nowMs real time in epoch milliseconds; valid from a day before it for a year. */
export function createCertificate(nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const ecdsaSha256 = der(sequence, oid("1.2.840.10045.4.3.2"));
  const commonName = der(sequence, oid("2.5.4.3"), der(utf8String, Buffer.from("timmerman embedded", "utf8")));
  const name = der(sequence, der(set, commonName));
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const dnsName = der(0x82, Buffer.from("localhost", "ascii"));
  const keyId = createHash("sha1").update(spki).digest();
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(15)]);
  const extensions = der(
    sequence,
    extension("2.5.29.19", true, der(sequence, der(boolean, Buffer.from([0xff])))),
    extension("2.5.29.15", true, der(bitString, Buffer.from([0x02, 0x84]))),
    extension("2.5.29.37", false, der(sequence, oid("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.14", false, der(octetString, keyId)),
    extension("2.5.29.17", false, der(sequence, address, dnsName)),
  );
  const body = der(
    sequence,
    der(explicit(0), der(integer, Buffer.from([2]))),
    der(integer, serial),
    ecdsaSha256,
    name,
    der(sequence, time(nowMs - dayMs), time(nowMs + validDays * dayMs)),
    name,
    spki,
    der(explicit(3), extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = der(sequence, body, ecdsaSha256, der(bitString, Buffer.from([0]), signature));
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }) as string, cert: pem("CERTIFICATE", certificate) };
}
