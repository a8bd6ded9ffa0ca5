import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";
import { keysOfJsonText, type N8nReferences, translateJsonText, translateValue } from "./n8n-expression.ts";

interface SetFields {
  /** First keys of what is set. */
  fields: ReadonlySet<string>;
  /** Whether what came in stays beside it. */
  keepsOthers: boolean;
}

interface Assignment {
  name: string;
  value: Json;
  type: string;
}

/** What a Set (Edit Fields) node surely writes; undefined: that is only known when it runs. */
export function fieldsOfSet({ parameters, version }: N8nNode): SetFields | undefined {
  const keepsOthers =
    version < 3
      ? parameters.keepOnlySet !== true
      : version < 3.3
        ? parameters.include !== "none"
        : parameters.includeOtherFields === true;
  if (parameters.mode === "raw") {
    const keys = keysOfJsonText(String(parameters.jsonOutput ?? ""));
    return keys === undefined ? undefined : { fields: new Set(keys), keepsOthers };
  }
  const names = assignmentsIn(parameters).map(({ name }) => name.split(".")[0] ?? name);
  return { fields: new Set(names), keepsOthers };
}

function assignmentsIn(parameters: JsonObject): Assignment[] {
  const { assignments, fields, values } = parameters;
  const toAssignment = (item: JsonObject, type: string, value: Json | undefined): Assignment => ({
    name: String(item.name ?? ""),
    value: value ?? "",
    type,
  });
  if (isObject(assignments) && Array.isArray(assignments.assignments))
    return assignments.assignments
      .filter(isObject)
      .map((item) => toAssignment(item, String(item.type ?? ""), item.value));
  if (isObject(fields) && Array.isArray(fields.values))
    return fields.values.filter(isObject).map((item) => {
      const type = typeof item.type === "string" ? item.type : "stringValue";
      return toAssignment(item, type.replace(/Value$/, ""), getOwn(item, type));
    });
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([type, list]) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map((item) => toAssignment(item, type, item.value)),
  );
}

/** The `mapping` of a transform. @throws NoEquivalent */
export function mappingOfSet({ parameters }: N8nNode, references: N8nReferences): JsonObject {
  if (parameters.mode === "raw") {
    const raw = translateJsonText(String(parameters.jsonOutput ?? ""), references);
    if (!isObject(raw)) throw new NoEquivalent("its JSON is no object that is written out");
    return raw;
  }
  const isNested = !(isObject(parameters.options) && parameters.options.dotNotation === false);
  const mapping: JsonObject = {};
  for (const { name, value, type } of assignmentsIn(parameters)) {
    if (name === "" || name.startsWith("=")) throw new NoEquivalent("the name of a field is computed");
    const keys = isNested ? name.split(".") : [name];
    let at = mapping;
    for (const key of keys.slice(0, -1)) {
      const next = Object.hasOwn(at, key) ? at[key] : undefined;
      const inner = isObject(next) ? next : {};
      setOwn(at, key, inner);
      at = inner;
    }
    setOwn(at, keys.at(-1) ?? name, toTyped(value, type, references));
  }
  return mapping;
}

function toTyped(value: Json, type: string, references: N8nReferences): Json {
  if (typeof value !== "string") return translateValue(value, references);
  if (type === "object" || type === "array") return translateJsonText(value, references);
  if (value.startsWith("=")) return translateValue(value, references);
  if (type === "number" && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  if (type === "boolean" && /^(true|false)$/.test(value)) return value === "true";
  return translateValue(value, references);
}
