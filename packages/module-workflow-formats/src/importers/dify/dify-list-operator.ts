import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, toStep } from "./dify-context.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";

/** How entries are compared with what a condition says, by the type of the entries. */
const COMPARED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  string: {
    contains: "one.includes(value)",
    "start with": "one.startsWith(value)",
    "end with": "one.endsWith(value)",
    is: "one === value",
    in: "value.includes(one)",
    empty: 'one === ""',
    "not contains": "!one.includes(value)",
    "is not": "one !== value",
    "not in": "!value.includes(one)",
    "not empty": 'one !== ""',
  },
  number: {
    "=": "one === value",
    "≠": "one !== value",
    "<": "one < value",
    "≤": "one <= value",
    ">": "one > value",
    "≥": "one >= value",
  },
};

const isOn = (value: Json | undefined): value is JsonObject => isObject(value) && value.enabled === true;

/** Filters, takes one, sorts and shortens a list of texts or of numbers, in this order. @throws NoEquivalent for one of files */
export const mapListOperator: MapNode = (node, context) => {
  const { data } = node;
  const selector = selectorOf(data.variable);
  const type = String(data.item_var_type ?? String(data.var_type ?? "").replace(/^array\[(.*)\]$/, "$1"));
  if (selector === undefined) throw new NoEquivalent("it names no list");
  const known = Object.hasOwn(COMPARED, type) ? COMPARED[type] : undefined;
  if (known === undefined)
    throw new NoEquivalent(`its list is one of ${type === "" ? "something unknown" : `${type}s`}`);
  const inputs: JsonObject = { given: context.data.path(selector).replace(/default\(null\)$/, "default([])") };
  const lines = [PRELUDE, "let list = given ?? [];", "if (list.length === 0) return answer([]);"];
  const conditions = isOn(data.filter_by) ? objectsIn(data.filter_by.conditions) : [];
  for (const [index, { comparison_operator: operator, value }] of conditions.entries()) {
    const test = Object.hasOwn(known, String(operator)) ? known[String(operator)] : undefined;
    if (test === undefined || typeof value !== "string")
      throw new NoEquivalent(`it compares its entries by “${String(operator)}”`);
    inputs[`value_${index}`] = joinTexts([context.data.template(value)]);
    const read = type === "number" ? `numberOf(value_${index})` : `value_${index}`;
    lines.push(`{ const value = ${read}; list = list.filter((one) => ${test}); }`);
  }
  if (isOn(data.extract_by)) {
    inputs.serial = joinTexts([context.data.template(String(data.extract_by.serial ?? "1"))]);
    lines.push("list = [entryOf(list, numberOf(serial))];");
  }
  if (isOn(data.order_by))
    lines.push(`list = [...list].sort((one, two) => ${data.order_by.value === "desc" ? "-" : ""}compare(one, two));`);
  if (isOn(data.limit)) {
    const { size = 10 } = data.limit;
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0)
      throw new NoEquivalent("how many entries it leaves is not written out");
    lines.push(`list = list.slice(0, ${size});`);
  }
  const code = [...lines, "return answer(list);", ""].join("\n");
  return toStep(node, context, "core.code", { language: "javascript", code, inputs });
};

/** Texts are compared by their characters, as Python does it. */
const PRELUDE = `const answer = (list) => ({ result: list, first_record: list[0] ?? null, last_record: list.at(-1) ?? null });
const numberOf = (text) => {
  const value = Number(text);
  if (String(text).trim() === "" || Number.isNaN(value)) throw new Error("No number: " + text);
  return value;
};
const entryOf = (list, serial) => {
  if (!Number.isInteger(serial) || serial < 1 || serial > list.length) throw new Error("The list has no entry " + serial);
  return list[serial - 1];
};
const compare = (one, two) => {
  if (typeof one === "number") return one - two;
  const [a, b] = [Array.from(one), Array.from(two)];
  const at = a.findIndex((letter, index) => letter !== b[index]);
  return at < 0 ? a.length - b.length : (a[at].codePointAt(0) - (b[at] === undefined ? -1 : b[at].codePointAt(0)));
};`;
