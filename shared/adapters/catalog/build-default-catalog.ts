// Makes the default catalog from pinned public packages: `npm run catalog:build`. Needs pip and go, runs on a developer's
// machine only; its results are committed. default-catalog/PROVENANCE.md says what comes from where.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { trimDescription } from "../../core/catalog/index.ts";
import type { Catalog, InstanceTypeDescription } from "../../core/model/index.ts";
import { estimateSpotUsd } from "./estimate-spot.ts";

const region = "us-east-1";
const moto = {
  requirement: "moto==5.2.5",
  wheel: "moto-5.2.5-py3-none-any.whl",
  sha256: "eef62cdcf3bfe73e0863743511ba042dfaba04ba3d5ecdcb896a196c693ad528",
};
const provider = {
  module: "github.com/aws/karpenter-provider-aws@v1.14.1",
  sum: "h1:WGtIQTQcxpElYMdWfWuPwaF2+9muR+hYhPZsTtoY8Gs=",
};

type Json = Record<string, unknown>;
interface Interfaces {
  readonly branch: number;
  readonly defaultCard: number | undefined;
}

const outDir = fileURLToPath(new URL("./default-catalog/", import.meta.url));
const coreFile = (name: string): string => fileURLToPath(new URL(`../../core/catalog/${name}`, import.meta.url));

function downloadMoto(work: string): string {
  execFileSync("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", work, moto.requirement], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const wheel = join(work, moto.wheel);
  const sha256 = createHash("sha256").update(readFileSync(wheel)).digest("hex");
  if (sha256 !== moto.sha256) throw new Error(`${moto.wheel} has sha256 ${sha256}, expected ${moto.sha256}`);
  execFileSync("python3", ["-m", "zipfile", "-e", wheel, join(work, "moto")]);
  return join(work, "moto");
}

function downloadProvider(work: string): string {
  writeFileSync(join(work, "go.mod"), "module catalog\n\ngo 1.24\n");
  const answer = execFileSync("go", ["mod", "download", "-json", provider.module], { cwd: work, encoding: "utf8" });
  const { Dir, Sum } = JSON.parse(answer) as { Dir: string; Sum: string };
  if (Sum !== provider.sum) throw new Error(`${provider.module} has sum ${Sum}, expected ${provider.sum}`);
  return Dir;
}

function readGzip(path: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(path)).toString("utf8"));
}

/** The generated Go table of on-demand prices: `"m5.large": 0.096000,` inside the region's block. */
function readPrices(dir: string): Map<string, number> {
  const source = readFileSync(join(dir, "pkg/providers/pricing/zz_generated.pricing_aws.go"), "utf8");
  const block = source.slice(source.indexOf(`"${region}": {`)).split("\n\t},")[0]!;
  const prices = new Map<string, number>();
  for (const [, type, usd] of block.matchAll(/"([a-z0-9-]+\.[a-z0-9-]+)": (\d+\.\d+),/g)) {
    prices.set(type!, Number(usd));
  }
  if (prices.size < 1000) throw new Error(`only ${prices.size} prices found for ${region}`);
  return prices;
}

/** The generated Go table of network limits: branch interfaces (0 without trunking) and the default card's interfaces. */
function readInterfaces(dir: string): Map<string, Interfaces> {
  const source = readFileSync(join(dir, "pkg/providers/instancetype/zz_generated.vpclimits.go"), "utf8");
  const found = new Map<string, Interfaces>();
  for (const [, type, body] of source.matchAll(/\n\t"([a-z0-9.-]+)": \{\n([\s\S]*?)\n\t\},/g)) {
    const trunking = /IsTrunkingCompatible:\s*true/.test(body!);
    const defaultIndex = /DefaultNetworkCardIndex:\s*(\d+)/.exec(body!)?.[1];
    const cards = body!.matchAll(/MaximumNetworkInterfaces:\s*(\d+),\s*NetworkCardIndex:\s*(\d+)/g);
    const card = [...cards].find(([, , index]) => index === defaultIndex);
    found.set(type!, {
      branch: trunking ? Number(/BranchInterface:\s*(\d+)/.exec(body!)?.[1] ?? 0) : 0,
      defaultCard: card === undefined ? undefined : Number(card[1]),
    });
  }
  return found;
}

/** The generated Go table of baseline bandwidth in Mbit/s; 0 where AWS gives only words ("Moderate"). */
function readBandwidth(dir: string): Map<string, number> {
  const source = readFileSync(join(dir, "pkg/providers/instancetype/zz_generated.bandwidth.go"), "utf8");
  const found = new Map<string, number>();
  for (const [, type, mbps] of source.matchAll(/"([a-z0-9.-]+)":\s*(\d+),/g)) found.set(type!, Number(mbps));
  for (const [, type] of source.matchAll(/\/\/ ([a-z0-9.-]+) has vague bandwidth/g)) found.set(type!, 0);
  return found;
}

/** Zone names and ids belong together where both listings offer the same types. */
function readOfferings(motoDir: string): { zones: { name: string; id: string }[]; offered: Map<string, string[]> } {
  const listing = (kind: string): Map<string, string[]> => {
    const rows = readGzip(join(motoDir, `moto/ec2/resources/instance_type_offerings/${kind}/${region}.json.gz`));
    const byLocation = new Map<string, string[]>();
    for (const { InstanceType, Location } of rows as { InstanceType: string; Location: string }[]) {
      const list = byLocation.get(Location);
      if (list === undefined) byLocation.set(Location, [InstanceType]);
      else list.push(InstanceType);
    }
    return byLocation;
  };
  const fingerprint = (types: readonly string[]): string => [...types].sort().join(" ");
  const byName = listing("availability-zone");
  const idOf = new Map([...listing("availability-zone-id")].map(([id, types]) => [fingerprint(types), id]));
  const zones = [...byName.keys()].sort().map((name) => {
    const id = idOf.get(fingerprint(byName.get(name)!));
    if (id === undefined) throw new Error(`no zone id offers the same types as ${name}`);
    return { name, id };
  });
  const offered = new Map<string, string[]>();
  for (const { name } of zones) {
    for (const type of byName.get(name)!) offered.set(type, [...(offered.get(type) ?? []), name]);
  }
  return { zones, offered };
}

/** The default card's interfaces by the table of network limits where that has them: the descriptions are older. */
function correct(type: string, described: Json, interfaces: Interfaces | undefined): InstanceTypeDescription {
  const network = described.NetworkInfo as { DefaultNetworkCardIndex: number; NetworkCards: Json[] };
  const NetworkCards = network.NetworkCards.map((card) =>
    card.NetworkCardIndex === network.DefaultNetworkCardIndex && interfaces?.defaultCard !== undefined
      ? { ...card, MaximumNetworkInterfaces: interfaces.defaultCard }
      : card,
  );
  return { ...described, InstanceType: type, NetworkInfo: { ...network, NetworkCards } };
}

/** Figures by type as `figuresByType` reads them, a line for each group of families that are alike. */
function familyFigures(rows: readonly (readonly [type: string, figure: number])[]): string {
  const sizesOf = new Map<string, Record<string, number>>();
  for (const [type, figure] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [family, size] = type.split(".") as [string, string];
    sizesOf.set(family, { ...sizesOf.get(family), [size]: figure });
  }
  const alike = Map.groupBy([...sizesOf], ([, sizes]) => JSON.stringify(sizes));
  const lines = [...alike].map(
    ([sizes, group]) => `${JSON.stringify(group.map(([family]) => family).join(" "))}:${sizes}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Imported as a module, so that a bundler takes it along. A thirtieth of the JSON is left; base64 makes it text. */
function compress(catalog: Catalog): string {
  return `${JSON.stringify({ brotli: brotliCompressSync(JSON.stringify(catalog)).toString("base64") })}\n`;
}

/** The text only: files of the module cache are read-only, ours are not. */
function copy(from: string, name: string): void {
  writeFileSync(join(outDir, name), readFileSync(from));
}

function main(): void {
  const work = mkdtempSync(join(tmpdir(), "default-catalog-"));
  try {
    const motoDir = downloadMoto(work);
    const providerDir = downloadProvider(work);
    const described = readGzip(join(motoDir, "moto/ec2/resources/instance_types.json.gz")) as Record<string, Json>;
    const prices = readPrices(providerDir);
    const interfaces = readInterfaces(providerDir);
    const { zones, offered } = readOfferings(motoDir);
    const types = Object.keys(described)
      .filter((type) => offered.has(type) && prices.has(type))
      .sort();
    const spot: Record<string, Record<string, number>> = {};
    for (const type of types) {
      if (!(described[type]!.SupportedUsageClasses as string[]).includes("spot")) continue;
      const quotes = offered.get(type)!.map((zone) => [zone, estimateSpotUsd(type, zone, prices.get(type)!)] as const);
      spot[type] = Object.fromEntries(quotes);
    }
    const catalog: Catalog = {
      region,
      zones,
      instanceTypes: types.map((type) => trimDescription(correct(type, described[type]!, interfaces.get(type)))),
      offerings: Object.fromEntries(types.map((type) => [type, offered.get(type)!])),
      onDemand: Object.fromEntries(types.map((type) => [type, prices.get(type)!])),
      spot,
      unavailable: [],
      reserved: [],
    };
    writeFileSync(join(outDir, `${region}.generated.json`), compress(catalog));
    const branches = [...interfaces].flatMap(([type, { branch }]): [string, number][] =>
      branch > 0 ? [[type, branch]] : [],
    );
    writeFileSync(coreFile("branch-interfaces.generated.json"), familyFigures(branches));
    writeFileSync(coreFile("network-bandwidth.generated.json"), familyFigures([...readBandwidth(providerDir)]));
    copy(join(motoDir, "moto-5.2.5.dist-info/licenses/LICENSE"), "LICENSE.moto.txt");
    copy(join(providerDir, "LICENSE"), "LICENSE.karpenter-provider-aws.txt");
    copy(join(providerDir, "NOTICE"), "NOTICE.karpenter-provider-aws.txt");
    process.stdout.write(
      `${types.length} types, ${Object.keys(spot).length} with spot, ${branches.length} with branch interfaces\n`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

main();
