import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { isObject, setOwn } from "@oven/engine";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";
import { keysOfJsonText, type N8nReferences, translateJsonText, translateValue } from "./n8n-expression.ts";
import { type Conversion, convertConstant, convertPath } from "./n8n-types.ts";

interface SetFields {
  /** First keys of what is set. */
  fields: ReadonlySet<string>;
  /** Whether something of what came in stays beside it. */
  keepsOthers: boolean;
  /** Whether all of it does that is not set. */
  keepsAll: boolean;
  /** Whether a key of what came in stays. */
  keeps(key: string): boolean;
}

interface Assignment {
  name: string;
  value: Json;
  /** Undefined: the value stays as it is. */
  conversion: Conversion | undefined;
}

/** What a Set (Edit Fields) node surely writes; undefined: that is only known when it runs. */
export function fieldsOfSet(node: N8nNode): SetFields | undefined {
  const { parameters } = node;
  const others = othersOfSet(node);
  if (parameters.mode === "raw") {
    const keys = keysOfJsonText(String(parameters.jsonOutput ?? ""));
    return keys === undefined ? undefined : { fields: new Set(keys), ...others };
  }
  const names = assignmentsIn(node).map(({ name }) => name);
  // What is set within a field leaves the rest of that field.
  const keepsAll = others.keepsAll && !names.some((name) => name.includes("."));
  return { fields: new Set(names.map((name) => name.split(".")[0] ?? name)), ...others, keepsAll };
}

export function othersOfSet({ parameters, version }: N8nNode): Omit<SetFields, "fields"> {
  const { include = "all", includeFields = "", excludeFields = "" } = parameters;
  const keepsOthers =
    version < 3
      ? parameters.keepOnlySet !== true
      : version < 3.3
        ? include !== "none"
        : parameters.includeOtherFields === true;
  const listed = (text: Json): string[] =>
    String(text)
      .split(",")
      .map((name) => name.trim());
  if (keepsOthers && version >= 3 && include === "selected")
    return { keepsOthers, keepsAll: false, keeps: (key) => listed(includeFields).includes(key) };
  if (keepsOthers && version >= 3 && include === "except")
    return {
      ...{ keepsOthers, keepsAll: false },
      keeps: (key) => !listed(excludeFields).some((name) => name.split(".")[0] === key),
    };
  return { keepsOthers, keepsAll: keepsOthers, keeps: () => keepsOthers };
}

/** Which of the other fields stay is computed, or they change their place. @throws NoEquivalent */
function refuseUnsureOthers({ parameters, version }: N8nNode): void {
  const { include, includeFields = "", excludeFields = "" } = parameters;
  if (version < 3 || (version >= 3.3 && parameters.includeOtherFields !== true)) return;
  const text = include === "selected" ? includeFields : include === "except" ? excludeFields : "";
  if (typeof text !== "string" || text.startsWith("="))
    throw new NoEquivalent("which of the other fields it keeps is computed");
  if (text.includes(".")) throw new NoEquivalent("it keeps parts of fields, at another place");
}

/** What a type begins with where nothing is set, before version 3.3. */
const DEFAULTS: Record<string, Json> = { string: "", number: 0, boolean: true, array: "", object: "{}" };
const CONVERSIONS = new Set<string>(["string", "number", "boolean", "array", "object"] satisfies Conversion[]);

/** The name of a field; one that is computed begins with `=`. */
export function nameIn(given: Json): string {
  const name = String(given);
  return name.startsWith("=") && !name.includes("{{") ? name.slice(1) : name;
}

function assignmentsIn({ parameters, version }: N8nNode): Assignment[] {
  const { assignments, fields, values, options } = parameters;
  const isLenient = isObject(options) && options.ignoreConversionErrors === true;
  const conversionOf = (type: string): Conversion | undefined => {
    if (isLenient && type === "number") return "numberWhereItFits";
    return CONVERSIONS.has(type) ? (type as Conversion) : undefined; // cast: it is one of them
  };
  if (isObject(assignments) && Array.isArray(assignments.assignments))
    return assignments.assignments.filter(isObject).map((item) => ({
      name: nameIn(item.name ?? ""),
      value: item.value ?? (item.type === "string" ? "" : null),
      conversion: conversionOf(String(item.type ?? "")),
    }));
  if (isObject(fields) && Array.isArray(fields.values))
    return fields.values.filter(isObject).map((item) => {
      const key = typeof item.type === "string" ? item.type : "stringValue";
      const type = key.replace(/Value$/, "");
      return {
        name: nameIn(item.name ?? ""),
        value: getOwn(item, key) ?? getOwn(DEFAULTS, type) ?? "",
        conversion: conversionOf(type),
      };
    });
  if (!isObject(values)) return [];
  return Object.entries(values).flatMap(([type, list]) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map(({ name = "propertyName", value }) => ({
      name: nameIn(name),
      value: value ?? (type === "boolean" ? false : type === "number" ? 0 : ""),
      conversion: type === "boolean" ? "truthy" : type === "number" && version >= 2 ? "numberWhereItFits" : undefined,
    })),
  );
}

/** The `mapping` of a transform, or the path of one. @throws NoEquivalent */
export function mappingOfSet(node: N8nNode, references: N8nReferences): Json {
  const { parameters } = node;
  refuseUnsureOthers(node);
  if (parameters.mode === "raw") {
    const raw = translateJsonText(String(parameters.jsonOutput ?? ""), references);
    if (isObject(raw) || pathIn(raw) !== undefined) return raw;
    throw new NoEquivalent("its JSON is no object");
  }
  const isNested = !(isObject(parameters.options) && parameters.options.dotNotation === false);
  const mapping: JsonObject = {};
  const isLenient = isObject(parameters.options) && parameters.options.ignoreConversionErrors === true;
  for (const { name, value, conversion } of assignmentsIn(node)) {
    if (name === "" || name.startsWith("=")) throw new NoEquivalent("the name of a field is computed");
    const keys = isNested ? name.split(".") : [name];
    let at = mapping;
    for (const key of keys.slice(0, -1)) {
      const next = Object.hasOwn(at, key) ? at[key] : undefined;
      const inner = isObject(next) ? next : {};
      setOwn(at, key, inner);
      at = inner;
    }
    setOwn(at, keys.at(-1) ?? name, toTyped(value, conversion, isLenient, references));
  }
  return mapping;
}

function toTyped(value: Json, conversion: Conversion | undefined, isLenient: boolean, references: N8nReferences): Json {
  if (conversion === undefined) return translateValue(value, references);
  if (isLenient && (conversion === "boolean" || conversion === "array" || conversion === "object"))
    throw new NoEquivalent("a value that cannot be converted to its type stays as it is");
  if (typeof value !== "string") return toLiteral(convertConstant(value, conversion));
  if (conversion === "object" || conversion === "array") {
    const json = translateJsonText(value, references);
    const path = pathIn(json);
    if (path !== undefined) return convertPath(path, conversion);
    convertConstant(unwrapLiteral(json), conversion);
    return json;
  }
  if (!value.startsWith("=")) return toLiteral(convertConstant(value, conversion));
  const translated = translateValue(value, references);
  const path = pathIn(translated);
  if (path !== undefined) return convertPath(path, conversion);
  if (typeof translated === "string" && translated.includes("{{")) {
    if (conversion === "string") return translated;
    throw new NoEquivalent("a text that is put together is turned into another type");
  }
  return toLiteral(convertConstant(unwrapLiteral(translated), conversion));
}

function pathIn(value: Json): string | undefined {
  return typeof value === "string" && isPathText(value) ? value : undefined;
}

/** A parameter that is a text, whatever its expression gives. @throws NoEquivalent */
export function textFrom(value: Json, references: N8nReferences): Json {
  return toTyped(value, "string", false, references);
}

function unwrapLiteral(value: Json): Json {
  return isObject(value) && value.$literal !== undefined ? value.$literal : value;
}
