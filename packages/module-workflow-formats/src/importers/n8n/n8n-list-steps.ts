import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";
import { summarize } from "./n8n-summarize.ts";

/** JavaScript that reads a field of `json` by the dots in its name. */
const READ =
  'const read = (json, field) => field.split(/[.[\\]]+/).filter((key) => key !== "").reduce((value, key) => value?.[key], json);';
const READ_PLAIN = "const read = (json, field) => json?.[field];";

/**
 * What a node makes of the list `all` (its items' data), as the body of a function that returns the list which it hands on, or one item.
 * @throws NoEquivalent
 */
export function listStep(node: N8nNode): string[] {
  const { parameters } = node;
  const options = isObject(parameters.options) ? parameters.options : {};
  const read = options.disableDotNotation === true ? READ_PLAIN : READ;
  const kind = node.type === "itemLists" ? String(parameters.operation ?? "splitOutItems") : node.type;
  switch (kind) {
    case "splitOut":
    case "splitOutItems":
      return [read, ...splitOut(parameters, options)];
    case "aggregate":
    case "concatenateItems":
      return [read, ...aggregate(parameters, options)];
    case "limit": {
      const { maxItems = 1, keep = "firstItems" } = parameters;
      if (typeof maxItems !== "number") throw new NoEquivalent("how many it keeps is computed");
      return [`return all.slice(${keep === "lastItems" ? `-${maxItems}` : `0, ${maxItems}`});`];
    }
    case "summarize":
      return [read, ...summarize(node)];
    case "sort":
      return [read, ...sort(parameters)];
    case "removeDuplicates":
      return [read, ...removeDuplicates(parameters)];
    default:
      throw new NoEquivalent(`there is nothing here that does ${kind} with a list`);
  }
}

const written = (value: Json): string => JSON.stringify(value);

/** The names in a list that is written with commas. @throws NoEquivalent */
function namesIn(value: Json | undefined): string[] {
  const text = value ?? "";
  if (typeof text !== "string" || text.startsWith("=")) throw new NoEquivalent("which fields it takes is computed");
  return text
    .split(",")
    .map((name) => name.trim().replace(/^\$json\./, ""))
    .filter((name) => name !== "");
}

function splitOut(parameters: JsonObject, options: JsonObject): string[] {
  const { include = "noOtherFields" } = parameters;
  const fields = namesIn(parameters.fieldToSplitOut);
  const [field, ...others] = fields;
  if (field === undefined || field === "$binary")
    throw new NoEquivalent("which list it takes apart is not said, or a file");
  if (others.length > 0) return splitSeveral(parameters, options, fields);
  const destination = namesIn(options.destinationFieldName)[0] ?? "";
  const key = written(destination === "" ? field : destination);
  const own =
    include === "noOtherFields" && destination === ""
      ? `typeof entry === "object" && entry !== null ? { ...entry } : { [${key}]: entry }`
      : `{ [${key}]: entry }`;
  const rest =
    include === "allOtherFields"
      ? `...without(json, ${written(field)}), `
      : include === "selectedOtherFields"
        ? ""
        : undefined;
  const selected =
    include === "selectedOtherFields"
      ? `, ${namesIn(parameters.fieldsToInclude)
          .map((name) => `${written(name)}: read(json, ${written(name)})`)
          .join(", ")}`
      : "";
  const made = rest === undefined ? own : `{ ${rest}...(${own})${selected} }`;
  return [
    'const listOf = (value) => (value === undefined ? [] : typeof value !== "object" || value === null ? [value] : Object.values(value));',
    ...(include === "allOtherFields" ? [WITHOUT] : []),
    `return all.flatMap((json) => listOf(read(json, ${written(field)})).map((entry) => (${made})));`,
  ];
}

const LIST_OF =
  'const listOf = (value) => (value === undefined ? [] : typeof value !== "object" || value === null ? [value] : Object.values(value));';

/** Several lists are taken apart side by side: an item has the entries at one place of all of them. */
function splitSeveral({ include = "noOtherFields", ...parameters }: JsonObject, options: JsonObject, fields: string[]) {
  if (fields.includes("$binary")) throw new NoEquivalent("which list it takes apart is not said, or a file");
  const targets = namesIn(options.destinationFieldName);
  if (targets.length > 0 && targets.length !== fields.length)
    throw new NoEquivalent("it has names for some of its lists alone");
  const rest = {
    noOtherFields: "{}",
    allOtherFields: `${written(fields)}.reduce((copy, field) => without(copy, field), json)`,
    selectedOtherFields: `Object.fromEntries(${written(namesIn(parameters.fieldsToInclude))}.map((field) => [field, read(json, field)]))`,
  }[String(include)];
  if (rest === undefined) throw new NoEquivalent("which other fields it keeps is computed");
  return [
    LIST_OF,
    ...(include === "allOtherFields" ? [WITHOUT] : []),
    `const targets = ${written(targets.length > 0 ? targets : fields)};`,
    "return all.flatMap((json) => {",
    `  const lists = ${written(fields)}.map((field) => listOf(read(json, field)));`,
    "  return Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) => {",
    "    const entries = lists.flatMap((list, place) => (index < list.length ? [[targets[place], list[index]]] : []));",
    include === "selectedOtherFields"
      ? `    return { ...Object.fromEntries(entries), ...${rest} };`
      : `    return { ...${rest}, ...Object.fromEntries(entries) };`,
    "  });",
    "});",
  ];
}

const WITHOUT = `const without = (json, field) => {
  const copy = structuredCopy(json);
  const keys = field.split(".");
  const owner = keys.slice(0, -1).reduce((value, key) => value?.[key], copy);
  if (typeof owner === "object" && owner !== null) delete owner[keys.at(-1)];
  return copy;
};
const structuredCopy = (value) => JSON.parse(JSON.stringify(value));`;

function aggregate(parameters: JsonObject, options: JsonObject): string[] {
  const { aggregate: how = "aggregateIndividualFields", destinationFieldName = "data", include } = parameters;
  if (options.groupByFields !== undefined && options.groupByFields !== "")
    throw new NoEquivalent("it makes one item for each group");
  if (how === "aggregateAllItemData") {
    if (typeof destinationFieldName !== "string") throw new NoEquivalent("the name of its field is computed");
    const names = namesIn(include === "allFieldsExcept" ? parameters.fieldsToExclude : parameters.fieldsToInclude);
    const isWanted = include === "allFieldsExcept" ? "!names.includes(key)" : "names.includes(key)";
    if (names.length === 0 || include === undefined || include === "allFields")
      return [`return { ${written(destinationFieldName)}: all };`];
    return [
      `const names = ${written(names)};`,
      `const picked = all.map((json) => Object.fromEntries(Object.entries(json).filter(([key]) => ${isWanted})));`,
      `return { ${written(destinationFieldName)}: picked.filter((json) => Object.keys(json).length > 0) };`,
    ];
  }
  const given = isObject(parameters.fieldsToAggregate) ? parameters.fieldsToAggregate.fieldToAggregate : undefined;
  const fields = (Array.isArray(given) ? given : []).filter(isObject);
  if (fields.length === 0) throw new NoEquivalent("it names no field");
  const entries = fields.map(({ fieldToAggregate, renameField, outputFieldName }) => {
    const [name, ...more] = namesIn(fieldToAggregate);
    if (name === undefined || more.length > 0) throw new NoEquivalent("one of its fields has no name");
    const [renamed] = renameField === true ? namesIn(outputFieldName) : [];
    const last = options.disableDotNotation === true ? name : (name.split(".").at(-1) ?? name);
    if (renamed?.includes(".") === true) throw new NoEquivalent("it puts a list within a field");
    return `  ${written(renamed ?? last)}: gather(${written(name)}),`;
  });
  const keepsMissing = options.keepMissing === true;
  const add = options.mergeLists === true ? "Array.isArray(value) ? value : [value]" : "[value]";
  return [
    "const gather = (field) => all.flatMap((json) => {",
    "  let value = read(json, field);",
    ...(keepsMissing
      ? ["  value ??= null;"]
      : [
          "  if (value === null || value === undefined) return [];",
          "  if (Array.isArray(value)) value = value.filter((entry) => entry !== null);",
        ]),
    `  return ${add};`,
    "});",
    "return {",
    ...entries,
    "};",
  ];
}

function sort({ type = "simple", sortFieldsUi }: JsonObject): string[] {
  if (type !== "simple") throw new NoEquivalent(type === "random" ? "it shuffles its items" : "it sorts by code");
  const given = isObject(sortFieldsUi) && Array.isArray(sortFieldsUi.sortField) ? sortFieldsUi.sortField : [];
  const fields = given.filter(isObject).map(({ fieldName, order = "ascending" }) => {
    const [name] = namesIn(fieldName);
    if (name === undefined) throw new NoEquivalent("it names no field to sort by");
    return [name, order === "ascending" ? 1 : -1];
  });
  if (fields.length === 0) throw new NoEquivalent("it names no field to sort by");
  return [
    'const plain = (value) => (typeof value === "string" ? value.toLowerCase() : value);',
    `const fields = ${written(fields)};`,
    "return [...all].sort((one, other) => {",
    "  for (const [field, direction] of fields) {",
    "    const [a, b] = [plain(read(one, field)), plain(read(other, field))];",
    "    if (JSON.stringify(a) !== JSON.stringify(b)) return (a < b ? -1 : 1) * direction;",
    "  }",
    "  return 0;",
    "});",
  ];
}

function removeDuplicates({ operation, compare = "allFields", ...parameters }: JsonObject): string[] {
  if (operation !== undefined && operation !== "removeDuplicateInputItems" && operation !== "removeDuplicates")
    throw new NoEquivalent("it remembers the items of earlier runs");
  const names =
    compare === "selectedFields" ? namesIn(parameters.fieldsToCompare) : namesIn(parameters.fieldsToExclude);
  const options = isObject(parameters.options) ? parameters.options : {};
  if (options.removeOtherFields === true) throw new NoEquivalent("it drops the fields that it does not compare");
  const compared =
    compare === "selectedFields"
      ? "names.map((name) => read(json, name) ?? null)"
      : "Object.entries(json).filter(([name]) => !names.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1))";
  return [
    `const names = ${written(names)};`,
    `const keyOf = (json) => JSON.stringify(${compared});`,
    "return all.filter((json, index) => all.findIndex((other) => keyOf(other) === keyOf(json)) === index);",
  ];
}
