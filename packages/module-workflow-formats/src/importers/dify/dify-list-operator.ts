import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts, toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type DifyContext, type MapNode, toStep } from "./dify-context.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";
import { FILE_FACTS, FILE_TEXTS, FILE_WORDS } from "./dify-file-facts.ts";
import { filesIn, pathOfFiles, requireFiles } from "./dify-files.ts";

type Tests = Readonly<Record<string, string>>;

const TEXT_TESTS: Tests = {
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
};
const NUMBER_TESTS: Tests = {
  "=": "one === value",
  "≠": "one !== value",
  "<": "one < value",
  "≤": "one <= value",
  ">": "one > value",
  "≥": "one >= value",
};
/** Whether one of a few words is among those that a condition names. */
const WORD_TESTS: Tests = { in: TEXT_TESTS.in ?? "", "not in": TEXT_TESTS["not in"] ?? "" };

/** What is compared of an entry, and by which operators. */
interface Compared {
  read: string;
  kind: "text" | "number" | "word";
}
const TESTS: Readonly<Record<Compared["kind"], Tests>> = { text: TEXT_TESTS, number: NUMBER_TESTS, word: WORD_TESTS };

const isOn = (value: Json | undefined): value is JsonObject => isObject(value) && value.enabled === true;

/** Filters, takes one, sorts and shortens a list of texts, numbers or files, in this order. @throws NoEquivalent */
export const mapListOperator: MapNode = (node, context) => {
  const { data } = node;
  const selector = selectorOf(data.variable);
  const type = String(data.item_var_type ?? String(data.var_type ?? "").replace(/^array\[(.*)\]$/, "$1"));
  if (selector === undefined) throw new NoEquivalent("it names no list");
  const isOfFiles = type === "file" || filesIn(selector, context.document) === "list";
  if (!isOfFiles && type !== "string" && type !== "number")
    throw new NoEquivalent(`its list is one of ${type === "" ? "something unknown" : `${type}s`}`);
  if (isOfFiles && requireFiles(selector, context) !== "list")
    throw new NoEquivalent("it works on a file that is no list");
  const given = isOfFiles
    ? pathOfFiles(selector, context)
    : context.data.path(selector).replace(/default\(null\)$/, "default([])");
  const inputs: JsonObject = { given };
  const partOf = (key: Json | undefined) =>
    isOfFiles ? partOfFile(key) : { read: "entry", kind: type === "number" ? ("number" as const) : ("text" as const) };
  const lines = [
    ...(isOfFiles ? [FILE_FACTS] : []),
    ...[PRELUDE, "let list = given ?? [];", "if (list.length === 0) return answer([]);"],
  ];
  const conditions = isOn(data.filter_by) ? objectsIn(data.filter_by.conditions) : [];
  for (const [index, condition] of conditions.entries()) {
    const { read, kind } = partOf(condition.key);
    const test = testOf(condition, TESTS[kind]);
    inputs[`value_${index}`] = comparedWith(condition, kind, context);
    const value = kind === "number" ? `numberOf(value_${index})` : `value_${index}`;
    lines.push(`{ const value = ${value}; list = list.filter((entry) => { const one = ${read}; return ${test}; }); }`);
  }
  if (isOn(data.extract_by)) {
    inputs.serial = joinTexts([context.data.template(String(data.extract_by.serial ?? "1"))]);
    lines.push("list = [entryOf(list, numberOf(serial))];");
  }
  if (isOn(data.order_by)) {
    const { read } = partOf(data.order_by.key);
    const sign = data.order_by.value === "desc" ? "-" : "";
    lines.push(
      `const keyOf = (entry) => ${read};`,
      `list = [...list].sort((one, two) => ${sign}compare(keyOf(one), keyOf(two)));`,
    );
  }
  if (isOn(data.limit)) {
    const { size = 10 } = data.limit;
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0)
      throw new NoEquivalent("how many entries it leaves is not written out");
    lines.push(`list = list.slice(0, ${size});`);
  }
  const code = [...lines, "return answer(list);", ""].join("\n");
  const step = toStep(node, context, "core.code", { language: "javascript", code, inputs });
  const notes = isOfFiles ? ["Of files at addresses it knows what the address says; Dify asks the host, too."] : [];
  return { ...step, notes };
};

/** @throws NoEquivalent */
function partOfFile(key: Json | undefined): Compared {
  const name = String(key ?? "");
  const read = `fact(${JSON.stringify(name)}, entry)`;
  if (FILE_TEXTS.has(name)) return { read, kind: "text" };
  if (FILE_WORDS.has(name)) return { read, kind: "word" };
  if (name === "size") return { read, kind: "number" };
  throw new NoEquivalent(`it asks files for ${name === "" ? "nothing" : `“${name}”`}`);
}

/** @throws NoEquivalent */
function testOf({ comparison_operator: operator }: JsonObject, tests: Tests): string {
  const test = Object.hasOwn(tests, String(operator)) ? tests[String(operator)] : undefined;
  if (test === undefined) throw new NoEquivalent(`it compares its entries by “${String(operator)}”`);
  return test;
}

/** @throws NoEquivalent */
function comparedWith({ comparison_operator, value }: JsonObject, kind: Compared["kind"], { data }: DifyContext): Json {
  if (kind === "word" && Array.isArray(value) && value.every((word) => typeof word === "string"))
    return toLiteral(value);
  if (typeof value !== "string")
    throw new NoEquivalent(
      `it compares its entries by “${String(comparison_operator)}” with something else than a text`,
    );
  return joinTexts([data.template(value)]);
}

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
