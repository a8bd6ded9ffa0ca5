import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";

/** A node STEP, and what NEXT leads from it to others. */
export interface Neo4jStep {
  id: Json;
  function: Json;
  input: Json;
  description: Json;
}

export interface Neo4jPath {
  from: Json;
  to: Json;
  conditions: Json;
  operator: Json;
  priority: Json;
}

/** The document of a graph that is kept in Neo4j. What has no value there is left out. */
export function toDocument(
  steps: readonly Neo4jStep[],
  paths: readonly Neo4jPath[],
  more: JsonObject = {},
): JsonObject {
  const byId: JsonObject = {};
  // Nodes have no order: root is first, the others are by their names.
  const rank = ({ id }: Neo4jStep) => (id === "root" ? "" : String(id));
  for (const { id, ...step } of steps.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)))
    setOwn(byId, String(id), present(step));
  return { ...more, steps: byId, next: paths.map((path) => present({ ...path })) };
}

function present(value: Record<string, Json>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

/**
 * What `apoc.export.json` writes, as a list or as `{nodes, relationships}`, as a document of ours; anything else is answered
 * as it is.
 */
export function fromNeo4jExport(value: Json): Json {
  const entries = entriesOf(value);
  if (entries === undefined) return value;
  const nodes = new Map(
    entries.flatMap((entry) => (isStep(entry) ? [[String(entry.id), propertiesOf(entry)] as const] : [])),
  );
  const idOf = (end: Json | undefined): Json => {
    const key = isObject(end) ? String(end.id) : String(end);
    return nodes.get(key)?.id ?? key;
  };
  const steps = [...nodes.values()].map((step) => ({
    id: step.id ?? null,
    function: step.function ?? null,
    input: step.input ?? null,
    description: step.description ?? null,
  }));
  const paths = entries.flatMap((entry) => {
    if ((entry.label ?? entry.type) !== "NEXT") return [];
    const { conditions = null, operator = null, priority = null } = propertiesOf(entry);
    return [{ from: idOf(entry.start), to: idOf(entry.end), conditions, operator, priority }];
  });
  return toDocument(steps, paths);
}

function entriesOf(value: Json): JsonObject[] | undefined {
  if (Array.isArray(value) && value.length > 0 && value.every(isEntry)) return value as JsonObject[]; // cast: each was looked at
  if (!isObject(value)) return undefined;
  if (isEntry(value)) return [value];
  const { nodes, relationships } = value;
  if (!Array.isArray(nodes) || !Array.isArray(relationships)) return undefined;
  return [...nodes, ...relationships].filter(isObject);
}

const isEntry = (value: Json): boolean => isObject(value) && (value.type === "node" || value.type === "relationship");
const isStep = ({ labels }: JsonObject): boolean => Array.isArray(labels) && labels.includes("STEP");
const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

/** An export with one entry on each line, as one list on the same lines. */
export function joinLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isExport =
    lines.length > 1 && lines.every((line) => /^\s*\{.*"type"\s*:\s*"(node|relationship)".*\}\s*$/.test(line));
  return isExport ? `[${lines.join(",\n")}]` : text;
}
