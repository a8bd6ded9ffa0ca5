import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";

/** JavaScript for the items of each side, from what `IncomingLists.sidesOf` says of it. */
const SIDES = `const itemsOf = ({ list, rounds, ran, layers }) => {
  if (layers === undefined) return list ?? (rounds ?? []).flatMap(({ output }) => (output?.handedOn === undefined || output === null ? [] : [output.handedOn]));
  if (ran.every((one) => one === null)) return [];
  const there = layers.filter((layer) => layer !== null);
  return there.length === 1 && Array.isArray(there[0]) ? there[0] : [Object.assign({}, ...there)];
};
const sides = given.map(itemsOf);
const [one = [], two = []] = sides;`;

/** A field by its name, or by the dots in it. */
const READ = `const read = (json, field) => {
  if (json !== null && typeof json === "object" && Object.hasOwn(json, field)) return json[field];
  return field.split(/[.[\\]]+/).filter((key) => key !== "").reduce((value, key) => value?.[key], json);
};`;
const READ_PLAIN = "const read = (json, field) => json?.[field];";

/** Objects and lists are merged within; else the last value stays. */
const DEEP = `const isGroup = (value) => typeof value === "object" && value !== null;
const into = (target, source) => {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (!isGroup(value)) target[key] = value;
    else {
      const there = target[key];
      const fits = Array.isArray(value) ? Array.isArray(there) : isGroup(there);
      target[key] = into(fits ? there : Array.isArray(value) ? [] : {}, value);
    }
  }
  return target;
};
const merged = (...all) => all.reduce((target, json) => into(target, json), {});`;
const SHALLOW = "const merged = (...all) => Object.assign({}, ...all);";

const SUFFIXED =
  'const suffixed = (list, suffix) => list.map((json) => Object.fromEntries(Object.entries(json).map(([key, value]) => [key + "_" + suffix, value])));';

const SAME = `const same = (a, b) => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
};`;

/**
 * What a Merge node makes of the items of its sides (`given`), as the body of a function that returns a list.
 * @throws NoEquivalent for what is set and not done here
 */
export function mergeStep({ parameters, version }: N8nNode): string[] {
  const { mode = "append" } = parameters;
  switch (mode) {
    case "append":
      return [SIDES, "return sides.flat();"];
    case "keepKeyMatches":
    case "removeKeyMatches":
    case "mergeByKey":
      return [SIDES, READ, ...byKey(parameters)];
    case "mergeByIndex":
      return [SIDES, SHALLOW, ...byIndex(String(parameters.join ?? "left"))];
    case "multiplex":
      return [SIDES, SHALLOW, EACH_WITH_EACH];
    case "passThrough":
      return [SIDES, `return ${parameters.output === "input2" ? "two" : "one"};`];
    case "wait":
      return ["return [{}];"];
    case "chooseBranch":
      return [SIDES, ...chosen(parameters, version)];
    case "combine":
      return [SIDES, ...combine(parameters, version)];
    case "combineBySql":
      throw new NoEquivalent("it combines by SQL: a core.transform over the lists of both sides must do that here");
    default:
      throw new NoEquivalent(`it merges in a way that is not known: ${String(mode)}`);
  }
}

const written = (value: Json): string => JSON.stringify(value);

const EACH_WITH_EACH = "return one.flatMap((a) => two.map((b) => merged(a, b)));";

/** @throws NoEquivalent where it is computed, or not there */
function fieldIn(value: Json | undefined): string {
  if (typeof value === "string" && value.startsWith("=")) throw new NoEquivalent("which fields it matches is computed");
  if (typeof value !== "string" || value.trim() === "") throw new NoEquivalent("it names no field to match by");
  return value;
}

function byKey({ mode, propertyName1, propertyName2, overwrite = "always" }: JsonObject): string[] {
  const [first, second] = [fieldIn(propertyName1), fieldIn(propertyName2)];
  const isMerged = mode === "mergeByKey";
  const fits = {
    always: "true",
    undefined: "!Object.hasOwn(json, key)",
    blank: '[null, undefined, ""].includes(json[key])',
  }[String(overwrite)];
  if (fits === undefined) throw new NoEquivalent("when it overwrites a value is computed");
  return [
    "const known = new Map();",
    `for (const json of two) if (read(json, ${written(second)})) known.set(String(read(json, ${written(second)})), json);`,
    "return one.flatMap((json) => {",
    `  const value = read(json, ${written(first)});`,
    `  if (!["string", "number"].includes(typeof value) && value !== null) return ${mode === "removeKeyMatches" ? "[json]" : "[]"};`,
    "  const found = known.get(String(value));",
    ...(isMerged
      ? [
          "  if (found === undefined) return [json];",
          `  const added = Object.entries(found).filter(([key]) => key !== ${written(second)} && (${fits}));`,
          "  return [{ ...json, ...Object.fromEntries(added) }];",
        ]
      : [`  return (found === undefined) === ${mode === "removeKeyMatches"} ? [json] : [];`]),
    "});",
  ];
}

function byIndex(join: string): string[] {
  if (!["inner", "left", "outer"].includes(join)) throw new NoEquivalent("how it joins is computed");
  const length =
    join === "left" ? "one.length" : `${join === "inner" ? "Math.min" : "Math.max"}(one.length, two.length)`;
  return [`return Array.from({ length: ${length} }, (_, at) => merged(one[at] ?? {}, two[at] ?? {}));`];
}

function chosen({ output, useDataOfInput = 1 }: JsonObject, version: number): string[] {
  const number = version < 3 ? (output === "input2" ? 2 : 1) : Number(useDataOfInput);
  if (!Number.isInteger(number)) throw new NoEquivalent("which side it hands on is computed");
  return [
    // It needs all of its sides.
    "if (sides.some((side) => side.length === 0)) return [];",
    output === "empty" ? "return [{}];" : `return sides[${number - 1}] ?? [];`,
  ];
}

interface Clash {
  resolve: string | undefined;
  lines: string[];
}

/** What happens to fields that both sides have. @throws NoEquivalent */
function clashOf(options: JsonObject): Clash {
  const values = isObject(options.clashHandling) ? options.clashHandling.values : undefined;
  const { resolveClash, mergeMode = "deepMerge", overrideEmpty } = isObject(values) ? values : {};
  if (overrideEmpty === true) throw new NoEquivalent("it prefers the field that is not empty");
  const known = ["preferInput1", "preferInput2", "preferLast", "addSuffix", undefined];
  if (!known.includes(resolveClash as string | undefined))
    // cast: compared as such
    throw new NoEquivalent("it prefers one of several sides, or which one is computed");
  if (mergeMode !== "deepMerge" && mergeMode !== "shallowMerge")
    throw new NoEquivalent("how it merges two values of one field is computed");
  const resolve = resolveClash === "preferLast" ? "preferInput2" : (resolveClash as string | undefined); // cast: as above
  return { resolve, lines: [mergeMode === "shallowMerge" ? SHALLOW : DEEP, SUFFIXED] };
}

function combine(parameters: JsonObject, version: number): string[] {
  const options = isObject(parameters.options) ? parameters.options : {};
  const { combineBy, combinationMode, numberInputs = 2 } = parameters;
  const clash = clashOf(options);
  const by = String((version < 3 ? combinationMode : (combineBy ?? combinationMode)) ?? "combineByFields");
  const isFirst = clash.resolve === "preferInput1";
  const swap = isFirst ? ["const [a1, b1] = [two, one];"] : ["const [a1, b1] = [one, two];"];
  const suffix =
    clash.resolve === "addSuffix"
      ? ['const [first, second] = [suffixed(a1, "1"), suffixed(b1, "2")];']
      : ["const [first, second] = [a1, b1];"];
  switch (by) {
    case "combineAll":
    case "multiplex":
      return [...clash.lines, ...swap, ...suffix, "return first.flatMap((a) => second.map((b) => merged(a, b)));"];
    case "combineByPosition":
    case "mergeByPosition":
      if (version >= 3 && (clash.resolve === "addSuffix" || (isFirst && numberInputs !== 2)))
        throw new NoEquivalent("it renames fields that several sides have, or prefers one side of several");
      return [...clash.lines, ...byPosition(options, version, [...swap, ...suffix], isFirst)];
    case "combineByFields":
    case "mergeByFields":
      return [...clash.lines, ...byFields(parameters, version, options, clash)];
    default:
      throw new NoEquivalent(`it combines in a way that is not known: ${by}`);
  }
}

function byPosition(options: JsonObject, version: number, two: string[], isFirst: boolean): string[] {
  const { includeUnpaired = false } = options;
  if (typeof includeUnpaired !== "boolean") throw new NoEquivalent("whether it keeps unpaired items is computed");
  const count = includeUnpaired ? "max" : "min";
  if (version >= 3)
    return [
      `const length = Math.${count}(...sides.map((side) => side.length));`,
      `return Array.from({ length }, (_, at) => merged(...sides${isFirst ? ".toReversed()" : ""}.map((side) => side[at] ?? {})));`,
    ];
  return [
    "if (one.length === 0 || two.length === 0) return [...one, ...two];",
    ...two,
    `return Array.from({ length: Math.${count}(first.length, second.length) }, (_, at) => {`,
    "  if (at >= first.length) return second[at];",
    "  return at >= second.length ? first[at] : merged(first[at], second[at]);",
    "});",
  ];
}

const JOINS = ["keepMatches", "keepNonMatches", "keepEverything", "enrichInput1", "enrichInput2"];

function pairsOf({ advanced, fieldsToMatchString, mergeByFields }: JsonObject, version: number): [string, string][] {
  if (version >= 3 && advanced !== true)
    return fieldIn(fieldsToMatchString)
      .split(",")
      .map((name) => [fieldIn(name).trim(), name.trim()]);
  const given = isObject(mergeByFields) && Array.isArray(mergeByFields.values) ? mergeByFields.values : [];
  const pairs = given
    .filter(isObject)
    .map(({ field1, field2 }): [string, string] => [fieldIn(field1), fieldIn(field2)]);
  if (pairs.length === 0) throw new NoEquivalent("it names no field to match by");
  return pairs;
}

function byFields(parameters: JsonObject, version: number, options: JsonObject, clash: Clash): string[] {
  const { joinMode = "keepMatches", outputDataFrom = "both" } = parameters;
  const { fuzzyCompare = false, disableDotNotation = false, multipleMatches = "all" } = options;
  const join = String(joinMode);
  if (!JOINS.includes(join) || !["both", "input1", "input2"].includes(String(outputDataFrom)))
    throw new NoEquivalent("which items it keeps is computed");
  if (fuzzyCompare !== false) throw new NoEquivalent("it compares fields loosely (Fuzzy Compare)");
  if (multipleMatches !== "all" && multipleMatches !== "first")
    throw new NoEquivalent("how many matches it takes is computed");
  const pairs = pairsOf(parameters, version);
  // A setting that is hidden for this kind stays at what n8n begins with.
  const from = join === "keepMatches" || join === "keepNonMatches" ? String(outputDataFrom) : "both";
  const resolve = clash.resolve ?? (join === "enrichInput2" ? "preferInput1" : "preferInput2");
  const pair = {
    preferInput1: "merged(b, a)",
    preferInput2: "merged(a, b)",
    addSuffix: 'merged(suffixed([a], "1")[0], suffixed([b], "2")[0])',
  }[resolve];
  const [left, right] =
    resolve === "addSuffix" ? ['suffixed(alone1, "1")', 'suffixed(alone2, "2")'] : ["alone1", "alone2"];
  const both = `matched.map(([a, b]) => ${pair})`;
  const result: Record<string, string> = {
    keepMatches: { both, input1: "one.filter((json) => matched.some(([a]) => a === json))" }[from] ?? "matched2",
    keepNonMatches:
      { input1: "alone1", input2: "alone2" }[from] ??
      '[...alone1.map((json) => ({ ...json, _source: "input1" })), ...alone2.map((json) => ({ ...json, _source: "input2" }))]',
    keepEverything: `[...${both}, ...${left}, ...${right}]`,
    enrichInput1: `[...${both}, ...${left}]`,
    enrichInput2: `[...${both}, ...${right}]`,
  };
  const whenEmpty = {
    keepMatches: "[]",
    keepNonMatches:
      { input1: "one.length === 0 ? [] : one", input2: "two.length === 0 ? [] : two" }[from] ?? "[...one, ...two]",
    keepEverything: "[...one, ...two]",
    enrichInput1: "one.length === 0 ? [] : one",
    enrichInput2: "two.length === 0 ? [] : two",
  }[join];
  const needed = version < 2.1 ? [NEEDED] : [];
  return [
    disableDotNotation === true ? READ_PLAIN : READ,
    SAME,
    `const pairs = ${written(pairs)};`,
    ...needed,
    `if (one.length === 0 || two.length === 0) return ${whenEmpty};`,
    "const [matched, alone1, found] = [[], [], new Set()];",
    "for (const a of one) {",
    "  const wanted = Object.entries(Object.fromEntries(pairs.map(([field1, field2]) => [field2, read(a, field1)])));",
    "  const isThere = wanted.every(([, value]) => value !== undefined);",
    "  const all = isThere ? two.filter((b) => wanted.every(([field, value]) => same(value, read(b, field)))) : [];",
    `  const taken = all${multipleMatches === "first" ? ".slice(0, 1)" : ""};`,
    "  for (const b of taken) {",
    "    found.add(b);",
    "    matched.push([a, b]);",
    "  }",
    "  if (taken.length === 0) alone1.push(a);",
    "}",
    "const [matched2, alone2] = [two.filter((b) => found.has(b)), two.filter((b) => !found.has(b))];",
    `return ${result[join]};`,
  ];
}

/** Version 2 fails where no item of a side has a field. */
const NEEDED = `for (const [side, at, name] of [[one, 0, "Input 1"], [two, 1, "Input 2"]])
  for (const pair of pairs)
    if (!side.some((json) => read(json, pair[at]) !== undefined)) throw new Error("Field '" + pair[at] + "' is not present in any of items in '" + name + "'");`;
