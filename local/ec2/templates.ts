// Launch templates and their versions.
import type {
  CreateLaunchTemplateRequest,
  CreateLaunchTemplateResult,
  CreateLaunchTemplateVersionRequest,
  CreateLaunchTemplateVersionResult,
  DeleteLaunchTemplateRequest,
  DeleteLaunchTemplateResult,
  DescribeLaunchTemplatesRequest,
  DescribeLaunchTemplatesResult,
  DescribeLaunchTemplateVersionsRequest,
  DescribeLaunchTemplateVersionsResult,
  LaunchTemplate,
  LaunchTemplateVersion,
  RequestLaunchTemplateData,
  ResponseLaunchTemplateData,
} from "@aws-sdk/client-ec2";
import { endDryRun, withToken } from "./client-tokens.ts";
import { Ec2Error } from "./ec2-error.ts";
import { applyFilters, type FilterTable } from "./filters.ts";
import { cutPage } from "./paging.ts";
import { checkTags, tagList, tagsFor } from "./tags.ts";
import type { LaunchTemplateRecord, LaunchTemplateVersionRecord, World } from "./world.ts";

const mostUserDataBytes = 16_384;

export function createLaunchTemplate(world: World, input: CreateLaunchTemplateRequest): CreateLaunchTemplateResult {
  return withToken(world, "CreateLaunchTemplate", input.ClientToken, input, () => {
    const name = input.LaunchTemplateName!;
    if (!/^[a-zA-Z0-9().\-/_]{3,128}$/.test(name)) {
      throw new Ec2Error(
        "InvalidLaunchTemplateName.MalformedException",
        `The launch template name '${name}' is invalid`,
      );
    }
    checkContent(input.LaunchTemplateData!);
    const tags = tagsFor(input.TagSpecifications, "launch-template");
    if ([...world.templates.values()].some((t) => t.name === name)) {
      throw new Ec2Error(
        "InvalidLaunchTemplateName.AlreadyExistsException",
        `Launch template name '${name}' is already in use`,
      );
    }
    endDryRun(input.DryRun);
    const now = world.clock.now();
    const record: LaunchTemplateRecord = {
      id: world.newId("lt"),
      name,
      createdAt: now,
      defaultVersion: 1,
      versions: [
        { number: 1, createdAt: now, description: input.VersionDescription, content: input.LaunchTemplateData! },
      ],
    };
    world.templates.set(record.id, record);
    world.tags.put(record.id, tags);
    return { LaunchTemplate: viewTemplate(world, record) };
  });
}

export function createLaunchTemplateVersion(
  world: World,
  input: CreateLaunchTemplateVersionRequest,
): CreateLaunchTemplateVersionResult {
  return withToken(world, "CreateLaunchTemplateVersion", input.ClientToken, input, () => {
    checkContent(input.LaunchTemplateData!);
    const record = findTemplate(world, input);
    const source = input.SourceVersion === undefined ? {} : findVersion(record, input.SourceVersion).content;
    endDryRun(input.DryRun);
    const version: LaunchTemplateVersionRecord = {
      number: record.versions.at(-1)!.number + 1,
      createdAt: world.clock.now(),
      description: input.VersionDescription,
      content: { ...source, ...input.LaunchTemplateData },
    };
    record.versions.push(version);
    return { LaunchTemplateVersion: viewVersion(world, record, version) };
  });
}

function checkContent(content: RequestLaunchTemplateData): void {
  if (Object.keys(content).length === 0) {
    throw new Ec2Error("MissingParameter", "The request must contain the parameter LaunchTemplateData");
  }
  const text = content.UserData;
  if (text !== undefined) {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) {
      throw new Ec2Error("InvalidUserData.Malformed", "Invalid BASE64 encoding of user data.");
    }
    if (Buffer.from(text, "base64").length > mostUserDataBytes) {
      throw new Ec2Error("InvalidUserData.Malformed", "User data is limited to 16384 bytes");
    }
  }
  for (const specification of content.TagSpecifications ?? []) checkTags(specification.Tags ?? []);
}

const templateFilters: FilterTable<LaunchTemplateRecord> = {
  "launch-template-name": (t) => [t.name],
  "create-time": (t) => [new Date(t.createdAt).toISOString()],
};

export function describeLaunchTemplates(
  world: World,
  input: DescribeLaunchTemplatesRequest,
): DescribeLaunchTemplatesResult {
  endDryRun(input.DryRun);
  const byId = (input.LaunchTemplateIds ?? []).map((id) => findTemplate(world, { LaunchTemplateId: id }));
  const byName = (input.LaunchTemplateNames ?? []).map((name) => findTemplate(world, { LaunchTemplateName: name }));
  const named = byId.length + byName.length > 0;
  const chosen = named ? [...new Set([...byId, ...byName])] : [...world.templates.values()];
  const found = applyFilters(chosen, input.Filters, templateFilters, (t) => world.tags.of(t.id));
  const sorted = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = cutPage(sorted, (t) => t.id, input, { least: 1, most: 200, byDefault: 200 });
  return { LaunchTemplates: page.items.map((t) => viewTemplate(world, t)), NextToken: page.NextToken };
}

export function describeLaunchTemplateVersions(
  world: World,
  input: DescribeLaunchTemplateVersionsRequest,
): DescribeLaunchTemplateVersionsResult {
  endDryRun(input.DryRun);
  const named = input.LaunchTemplateId !== undefined || input.LaunchTemplateName !== undefined;
  if (!named && input.Versions === undefined) {
    throw new Ec2Error(
      "MissingParameter",
      "The request must name a launch template or ask for $Latest or $Default versions",
    );
  }
  const records = named ? [findTemplate(world, input)] : [...world.templates.values()];
  const chosen = records.flatMap((record) => {
    const versions = input.Versions === undefined ? record.versions : input.Versions.map((v) => findVersion(record, v));
    return [...new Set(versions)].map((version) => ({ record, version }));
  });
  const keyOf = (v: (typeof chosen)[number]): string => `${v.record.id}/${String(v.version.number).padStart(9, "0")}`;
  const sorted = [...chosen].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = cutPage(sorted, keyOf, input, { least: 1, most: 200, byDefault: 200 });
  return {
    LaunchTemplateVersions: page.items.map((v) => viewVersion(world, v.record, v.version)),
    NextToken: page.NextToken,
  };
}

export function deleteLaunchTemplate(world: World, input: DeleteLaunchTemplateRequest): DeleteLaunchTemplateResult {
  const record = findTemplate(world, input);
  endDryRun(input.DryRun);
  const view = viewTemplate(world, record);
  world.templates.delete(record.id);
  world.tags.drop(record.id);
  return { LaunchTemplate: view };
}

/** Throws the two errors of EC2 for a template that doesn't exist. */
export function findTemplate(
  world: World,
  by: { readonly LaunchTemplateId?: string | undefined; readonly LaunchTemplateName?: string | undefined },
): LaunchTemplateRecord {
  if (by.LaunchTemplateId !== undefined) {
    const record = world.templates.get(by.LaunchTemplateId);
    if (record !== undefined) return record;
    throw new Ec2Error(
      "InvalidLaunchTemplateId.NotFound",
      `The specified launch template, with template ID ${by.LaunchTemplateId}, does not exist.`,
    );
  }
  if (by.LaunchTemplateName === undefined) {
    throw new Ec2Error("MissingParameter", "Either the ID or the name of a launch template must be given");
  }
  const record = [...world.templates.values()].find((t) => t.name === by.LaunchTemplateName);
  if (record !== undefined) return record;
  throw new Ec2Error(
    "InvalidLaunchTemplateName.NotFoundException",
    `The specified launch template, with template name ${by.LaunchTemplateName}, does not exist.`,
  );
}

/** The version that `$Latest`, `$Default` or a number means. Throws InvalidLaunchTemplateId.VersionNotFound. */
export function findVersion(record: LaunchTemplateRecord, version: string): LaunchTemplateVersionRecord {
  if (version === "$Latest") return record.versions.at(-1)!;
  const number = version === "$Default" ? record.defaultVersion : Number(version);
  const found = record.versions.find((v) => v.number === number);
  if (found !== undefined) return found;
  throw new Ec2Error(
    "InvalidLaunchTemplateId.VersionNotFound",
    `Could not find launch template version ${version} of ${record.name}.`,
  );
}

function viewTemplate(world: World, record: LaunchTemplateRecord): LaunchTemplate {
  return {
    LaunchTemplateId: record.id,
    LaunchTemplateName: record.name,
    CreateTime: new Date(record.createdAt),
    CreatedBy: `arn:aws:iam::${world.accountId}:root`,
    DefaultVersionNumber: record.defaultVersion,
    LatestVersionNumber: record.versions.at(-1)!.number,
    Tags: tagList(world.tags.of(record.id)),
  };
}

function viewVersion(
  world: World,
  record: LaunchTemplateRecord,
  version: LaunchTemplateVersionRecord,
): LaunchTemplateVersion {
  return {
    LaunchTemplateId: record.id,
    LaunchTemplateName: record.name,
    VersionNumber: version.number,
    VersionDescription: version.description,
    CreateTime: new Date(version.createdAt),
    CreatedBy: `arn:aws:iam::${world.accountId}:root`,
    DefaultVersion: version.number === record.defaultVersion,
    LaunchTemplateData: version.content as ResponseLaunchTemplateData,
  };
}
