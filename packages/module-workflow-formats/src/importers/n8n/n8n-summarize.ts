import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";

/** What a field of the result is called, by how it is summed up. */
const PREFIXES: Readonly<Record<string, string>> = {
  ...{ append: "appended_", average: "average_", concatenate: "concatenated_", count: "count_" },
  ...{ countUnique: "unique_count_", max: "max_", min: "min_", sum: "sum_" },
};

const SUMMING = `const isEmpty = (value) => value === undefined || value === null || value === "";
const named = (text) => text.replace(/[\\]\\["]/g, "").replace(/[ .]/g, "_");
const textOf = (value) => (typeof value === "object" ? JSON.stringify(value) : value === undefined ? "undefined" : value);
const extreme = (values, isBetter) => values.reduce((best, value) => (best === undefined || isBetter(value, best) ? value : best), undefined) ?? null;
const KINDS = {
  append: (values) => values,
  concatenate: (values, separator) => values.map(textOf).join(separator),
  sum: (values) => values.reduce((total, value) => total + value, 0),
  average: (values) => values.reduce((total, value) => total + value, 0) / values.length,
  min: (values) => extreme(values, (one, other) => one < other),
  max: (values) => extreme(values, (one, other) => one > other),
  countUnique: (values) => new Set(values).size,
  count: (values) => values.length,
};
const valuesFor = (items, { field, kind, includesEmpty }) => {
  const values = items.map((json) => read(json, field));
  if (kind === "sum" || kind === "average") return values.filter((value) => typeof value === "number");
  const takesAll = includesEmpty && kind !== "min" && kind !== "max";
  return takesAll ? values : values.filter((value) => !isEmpty(value));
};
const summed = (items) => Object.fromEntries(wanted.map((one) => [named(one.prefix + one.field), KINDS[one.kind](valuesFor(items, one), one.separator)]));
const groupOf = (json, key) => {
  const value = read(json, key);
  const group = value && typeof value === "object" ? JSON.stringify(value) : value;
  return asText ? String(group) : group;
};
const split = (items, [key, ...others]) => {
  if (key === undefined) return [summed(items)];
  const groups = new Map();
  for (const json of items) {
    const group = groupOf(json, key);
    if (skipsEmpty && typeof group !== "number" && !group) continue;
    groups.set(group, [...(groups.get(group) ?? []), json]);
  }
  return [...groups].flatMap(([group, inside]) => split(inside, others).map((made) => ({ ...made, [named(key)]: group })));
};`;

const names = (value: Json | undefined): string[] => {
  if (typeof (value ?? "") !== "string" || String(value ?? "").startsWith("="))
    throw new NoEquivalent("which fields it takes is computed");
  const given = String(value ?? "").split(",");
  return given.map((name) => name.trim()).filter((name) => name !== "");
};

/** Whether a Summarize hands on an item for each group. */
export const givesGroups = ({ parameters }: N8nNode): boolean => {
  const { fieldsToSplitBy = "", options } = parameters;
  const isSingle = isObject(options) && options.outputFormat === "singleItem";
  return !isSingle && typeof fieldsToSplitBy === "string" && fieldsToSplitBy.trim() !== "";
};

/** One field that is summed up. @throws NoEquivalent */
function wantedOf({ field = "", aggregation = "count", includeEmpty, ...rest }: JsonObject): JsonObject {
  const kind = String(aggregation);
  const prefix = Object.hasOwn(PREFIXES, kind) ? PREFIXES[kind] : undefined;
  if (prefix === undefined) throw new NoEquivalent(`there is nothing here that does ${kind} with a list`);
  const { separateBy = ",", customSeparator = "" } = rest;
  const separator = separateBy === "other" ? customSeparator : separateBy;
  if (typeof field !== "string" || field.startsWith("=")) throw new NoEquivalent("which fields it takes is computed");
  if (typeof separator !== "string" || separator.startsWith("=")) throw new NoEquivalent("its separator is computed");
  return { field, kind, prefix, separator, includesEmpty: includeEmpty === true };
}

/** JavaScript for a Summarize of the list `all`, where `read` reads a field; one item, or one for each group. @throws NoEquivalent */
export function summarize({ parameters, version }: N8nNode): string[] {
  const { fieldsToSummarize, fieldsToSplitBy } = parameters;
  const options = isObject(parameters.options) ? parameters.options : {};
  const given = isObject(fieldsToSummarize) && Array.isArray(fieldsToSummarize.values) ? fieldsToSummarize.values : [];
  const wanted = given.filter(isObject).map(wantedOf);
  if (!wanted.some(({ field }) => field !== "")) throw new NoEquivalent("it sums up no field");
  const keys = names(fieldsToSplitBy);
  if (options.outputFormat === "singleItem" && keys.length > 0)
    throw new NoEquivalent("it puts its groups into one item");
  const isStrict = version < 1.1 && options.continueIfFieldNotFound !== true;
  return [
    `const wanted = ${JSON.stringify(wanted)};`,
    `const asText = ${version < 1.1};`,
    `const skipsEmpty = ${options.skipEmptySplitFields === true};`,
    SUMMING,
    ...(isStrict
      ? [
          'for (const { field } of wanted) if (field !== "" && !all.some((json) => read(json, field) !== undefined)) throw new Error("The field \'" + field + "\' does not exist in any items");',
        ]
      : []),
    `const made = split(all, ${JSON.stringify(keys)});`,
    keys.length > 0 ? "return made;" : "return made[0];",
  ];
}
