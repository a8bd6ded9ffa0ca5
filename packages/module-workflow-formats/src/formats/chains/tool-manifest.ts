import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { ToolInfo } from "@oven/contract/ai";
import type { ToolManifest } from "@oven/contract/formats/chains.ts";
import { hashJson, isObject } from "@oven/engine";

const SHORT: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};

type ManifestTool = ToolManifest["tools"][number];

/** What tools there are and what they take. Equal tools give the equal hash, in any order. */
export function toManifest(tools: readonly ToolInfo[], now: Date): ToolManifest {
  const listed = tools.map(toEntry).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const hash = `sha256:${hashJson(listed.map(({ name, args }): JsonObject => ({ name, args })))}`;
  return { version: now.toISOString().slice(0, 10), hash, tools: listed };
}

function toEntry({ id, inputSchema }: Pick<ToolInfo, "id" | "inputSchema">): ManifestTool {
  const { properties, required } = inputSchema;
  const needed: Json[] = Array.isArray(required) ? required : [];
  const args = isObject(properties) ? Object.entries(properties) : [];
  return {
    name: id,
    args: Object.fromEntries(
      args
        .map(([name, schema]) => [name, `${toWord(schema)}${needed.includes(name) ? "" : "?"}`] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
}

function toWord(schema: Json): string {
  const type = isObject(schema) ? schema.type : undefined;
  return typeof type === "string" ? (getOwn(SHORT, type) ?? "any") : "any";
}

export interface ManifestChanges {
  /** What the prompts were written for is not there any more. */
  broken: string[];
  /** There is more than there was. */
  grown: string[];
}

/** How tools have changed since a manifest was made. @param now undefined: it is gone */
export function compareManifest(
  then: readonly ManifestTool[],
  now: (name: string) => ToolInfo | undefined,
): ManifestChanges {
  const changes: ManifestChanges = { broken: [], grown: [] };
  for (const { name, args } of then) {
    const info = now(name);
    if (info === undefined) {
      changes.broken.push(`the tool ${name} is gone`);
      continue;
    }
    const current = toEntry(info).args;
    for (const [arg, type] of Object.entries(args)) {
      const present = getOwn(current, arg);
      if (present === undefined) changes.broken.push(`${name} takes no argument ${arg} any more`);
      else if (bare(present) !== bare(type)) changes.broken.push(`${name}.${arg} was ${type} and is ${present}`);
      else if (present !== type && type.endsWith("?")) changes.broken.push(`${name}.${arg} must be given now`);
      else if (present !== type) changes.grown.push(`${name}.${arg} may be left out now`);
    }
    for (const [arg, type] of Object.entries(current)) {
      if (getOwn(args, arg) !== undefined) continue;
      (type.endsWith("?") ? changes.grown : changes.broken).push(`${name} has a new argument ${arg} (${type})`);
    }
  }
  return changes;
}

const bare = (type: string): string => type.replace(/\?$/, "");
