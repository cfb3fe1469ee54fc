// The Cloud port on the AWS SDK. Answers to Karpenter's instance, launch template, subnet, security group and AMI providers;
// differs on purpose: requests come sealed, nothing is cached but the names of templates that are known to exist, and EC2's
// error names end here (classify.ts).

import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreateTagsCommand,
  type EC2Client,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import type { FleetRequest } from "../../core/model/index.ts";
import type { Clock, Cloud, FleetResult } from "../../ports/index.ts";
import { refuseAll, toFleetResult } from "./answers.ts";
import { classOf, meanings, toOperationError } from "./classify.ts";
import { findImages } from "./find-images.ts";
import { findByIds, findByTags } from "./find-instances.ts";
import { findReservations } from "./find-reservations.ts";
import { toFleetInput, toTags, toTemplateInput } from "./requests.ts";
import { resolveNetwork } from "./resolve-network.ts";

const idsPerTerminateCall = 100;

export interface Ec2CloudOptions {
  readonly client: EC2Client;
  readonly clock: Pick<Clock, "now">;
}

/** Every rejection is an OperationError. */
export function createEc2Cloud({ client, clock }: Ec2CloudOptions): Cloud {
  const knownTemplates = new Set<string>();
  return {
    launch: (request) => launch(client, knownTemplates, request),
    findByTags: (tags, options) => told("finding instances by tag", () => findByTags(client, tags, options)),
    findByIds: (ids) => told("finding instances by id", () => findByIds(client, ids)),
    terminate: (ids) => told(`terminating ${ids.length} instances`, () => terminateAll(client, ids)),
    tag: (id, tags) =>
      told(`tagging ${id}`, async () => {
        await client.send(new CreateTagsCommand({ Resources: [id], Tags: toTags(tags) }));
      }),
    resolveNetwork: (terms) => told("finding subnets and security groups", () => resolveNetwork(client, terms)),
    findReservations: (terms) => told("finding capacity reservations", () => findReservations(client, terms)),
    findImages: (terms) => told("finding images", () => findImages(client, terms, clock.now())),
  };
}

async function told<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOperationError(error, doing);
  }
}

async function launch(client: EC2Client, known: Set<string>, request: FleetRequest): Promise<FleetResult> {
  try {
    const result = await launchOnce(client, known, request);
    // The fleet was accepted and its token spent; the next launch makes the templates again.
    if (result.refusals.some((refusal) => isMissingTemplate(refusal.code))) forget(known, request);
    return result;
  } catch (error) {
    if (!isMissingTemplate((error as Error).name)) throw toOperationError(error, launching(request));
    // A template that was known is gone: someone deleted it. It is made again, once; the fleet's bytes stay the same.
    forget(known, request);
    return told(launching(request), () => launchOnce(client, known, request));
  }
}

function isMissingTemplate(name: string): boolean {
  return /^InvalidLaunchTemplate.*NotFound/.test(name);
}

function forget(known: Set<string>, request: FleetRequest): void {
  for (const template of request.templates) known.delete(template.name);
}

function launching(request: FleetRequest): string {
  return `launching ${request.count} ${request.capacityType} instances (token ${request.clientToken})`;
}

async function launchOnce(client: EC2Client, known: Set<string>, request: FleetRequest): Promise<FleetResult> {
  for (const template of request.templates) {
    if (!known.has(template.name)) await ensureTemplate(client, template);
    known.add(template.name);
  }
  try {
    const answer = await client.send(new CreateFleetCommand(toFleetInput(request)));
    return toFleetResult(request, answer);
  } catch (error) {
    const group = classOf(error);
    const kind = group === undefined ? undefined : meanings[group].refusal;
    if (kind !== "no-capacity" && kind !== "no-addresses" && kind !== "quota") throw error;
    return refuseAll(request, (error as Error).name, (error as Error).message);
  }
}

/** A template's name is derived from its content: one that exists is the one that is wanted. */
async function ensureTemplate(client: EC2Client, template: FleetRequest["templates"][number]): Promise<void> {
  try {
    await client.send(new CreateLaunchTemplateCommand(toTemplateInput(template)));
  } catch (error) {
    if ((error as Error).name !== "InvalidLaunchTemplateName.AlreadyExistsException") throw error;
  }
}

async function terminateAll(
  client: EC2Client,
  ids: readonly string[],
): Promise<{ readonly notFound: readonly string[] }> {
  const notFound: string[] = [];
  for (let from = 0; from < ids.length; from += idsPerTerminateCall) {
    notFound.push(...(await terminateSome(client, ids.slice(from, from + idsPerTerminateCall))));
  }
  return { notFound };
}

/**
 * EC2 terminates all ids of a call or none. If one is unknown, halves are tried: k unknown ids among n cost about k·log n
 * calls, and none of the known ones is held back.
 */
async function terminateSome(client: EC2Client, ids: readonly string[]): Promise<readonly string[]> {
  try {
    await client.send(new TerminateInstancesCommand({ InstanceIds: [...ids] }));
    return [];
  } catch (error) {
    if ((error as Error).name !== "InvalidInstanceID.NotFound") throw error;
    if (ids.length === 1) return ids;
    const middle = Math.ceil(ids.length / 2);
    const left = await terminateSome(client, ids.slice(0, middle));
    return [...left, ...(await terminateSome(client, ids.slice(middle)))];
  }
}
