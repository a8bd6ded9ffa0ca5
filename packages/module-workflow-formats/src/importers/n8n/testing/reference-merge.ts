import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { Item } from "./reference-values.ts";

/** What the documentation of Merge says of the items of its sides; undefined: it does not run, for it needs all of them. */
export function mergeItems(parameters: JsonObject, version: number, sides: readonly Item[][]): Item[] | undefined {
  const [first = [], second = []] = sides;
  const { mode, combineBy, combinationMode } = parameters;
  switch (mode) {
    case "append":
      return [...first, ...second];
    case "chooseBranch":
      if (first.length === 0 || second.length === 0) return undefined;
      return parameters.useDataOfInput === 2 || parameters.output === "input2" ? second : first;
    case "passThrough":
      return parameters.output === "input2" ? second : first;
    case "mergeByIndex":
      return byIndex(String(parameters.join), first, second);
    case "keepKeyMatches":
      return first.filter((item) => isKnown(parameters, item, second));
    case "removeKeyMatches":
      return first.filter((item) => !isKnown(parameters, item, second));
    case "mergeByKey":
      return first
        .filter((item) => isComparable(item[String(parameters.propertyName1)]))
        .map((item) => enriched(parameters, item, second));
  }
  if (mode === "multiplex") return pairs(first, second).map(([one, two]) => ({ ...one, ...two }));
  const by = String(combineBy ?? combinationMode);
  if (by === "combineAll" || by === "multiplex") {
    const isTurned = clashOf(parameters).resolveClash === "preferInput1";
    return (isTurned ? pairs(second, first) : pairs(first, second)).map(([one, two]) =>
      joined(parameters, isTurned ? two : one, isTurned ? one : two, "preferInput2"),
    );
  }
  return by.endsWith("Position") ? byPosition(parameters, version, first, second) : byFields(parameters, first, second);
}

const pairs = (first: readonly Item[], second: readonly Item[]) =>
  first.flatMap((one) => second.map((two): [Item, Item] => [one, two]));

function byIndex(join: string, first: readonly Item[], second: readonly Item[]): Item[] {
  const made: Item[] = [];
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    const [one, two] = [first[index], second[index]];
    if ((one === undefined && join !== "outer") || (two === undefined && join === "inner")) break;
    made.push({ ...one, ...two });
  }
  return made;
}

const isComparable = (value: Json | undefined) => ["string", "number"].includes(typeof value) || value === null;

function lastWith({ propertyName1, propertyName2 }: JsonObject, item: Item, others: readonly Item[]): Item | undefined {
  const key = String(item[String(propertyName1)]);
  return others.findLast(
    (other) => Boolean(other[String(propertyName2)]) && String(other[String(propertyName2)]) === key,
  );
}

const isKnown = (parameters: JsonObject, item: Item, others: readonly Item[]) =>
  isComparable(item[String(parameters.propertyName1)]) && lastWith(parameters, item, others) !== undefined;

function enriched(parameters: JsonObject, item: Item, others: readonly Item[]): Item {
  const copy = { ...item };
  for (const [key, value] of Object.entries(lastWith(parameters, item, others) ?? {})) {
    if (key === parameters.propertyName2) continue;
    const isBlank = copy[key] === undefined || copy[key] === null || copy[key] === "";
    const { overwrite } = parameters;
    if (overwrite === "always" || (overwrite === "blank" ? isBlank : !(key in copy))) copy[key] = value;
  }
  return copy;
}

function byPosition(parameters: JsonObject, version: number, first: readonly Item[], second: readonly Item[]): Item[] {
  const keepsAll = isObject(parameters.options) && parameters.options.includeUnpaired === true;
  if (version < 3 && (first.length === 0 || second.length === 0)) return [...first, ...second];
  const longer = first.length > second.length ? first : second;
  return longer.flatMap((_, index) => {
    const [one, two] = [first[index], second[index]];
    if (one !== undefined && two !== undefined) return [joined(parameters, one, two, "preferInput2")];
    return keepsAll ? [suffixedAlone(parameters, one ?? two ?? {}, one === undefined ? "2" : "1")] : [];
  });
}

function clashOf({ options }: JsonObject): JsonObject {
  const clash = isObject(options) && isObject(options.clashHandling) ? options.clashHandling.values : {};
  return isObject(clash) ? clash : {};
}

const suffixed = (item: Item, suffix: string): Item =>
  Object.fromEntries(Object.entries(item).map(([key, value]) => [`${key}_${suffix}`, value]));

const suffixedAlone = (parameters: JsonObject, item: Item, suffix: string): Item =>
  clashOf(parameters).resolveClash === "addSuffix" ? suffixed(item, suffix) : item;

function joined(parameters: JsonObject, one: Item, two: Item, otherwise: string): Item {
  const { resolveClash = otherwise, mergeMode } = clashOf(parameters);
  const put = (under: Item, over: Item) => (mergeMode === "shallowMerge" ? { ...under, ...over } : deep(under, over));
  if (resolveClash === "addSuffix") return { ...suffixed(one, "1"), ...suffixed(two, "2") };
  return resolveClash === "preferInput1" ? put(two, one) : put(one, two);
}

/** Values of one key are put together where both are objects, or both are lists. */
function deep(under: Item, over: Item): Item {
  const both = (a: Json | undefined, b: Json): Json => {
    if (Array.isArray(a) && Array.isArray(b))
      return [...b.map((one, index) => both(a[index], one)), ...a.slice(b.length)];
    return isObject(a) && isObject(b) ? deep(a as Item, b as Item) : b; // cast: objects of JSON
  };
  const made = { ...under };
  for (const [key, value] of Object.entries(over)) made[key] = both(made[key], value);
  return made;
}

function byFields(parameters: JsonObject, first: readonly Item[], second: readonly Item[]): Item[] {
  const { joinMode, outputDataFrom = "both", options } = parameters;
  const names =
    typeof parameters.fieldsToMatchString === "string"
      ? parameters.fieldsToMatchString.split(",").map((name): [string, string] => [name, name])
      : // cast: generated
        (parameters.mergeByFields as { values: { field1: string; field2: string }[] }).values.map(
          ({ field1, field2 }): [string, string] => [field1, field2],
        );
  const fits = (one: Item, two: Item) =>
    names.every(([left, right]) => one[left] !== undefined && isDeepStrictEqual(one[left], two[right]));
  const isFirstOnly = isObject(options) && options.multipleMatches === "first";
  const matches = first.flatMap((one) => {
    const found = second.filter((two) => fits(one, two));
    return (isFirstOnly ? found.slice(0, 1) : found).map((two): [Item, Item] => [one, two]);
  });
  const [left, right] = [new Set(matches.map(([one]) => one)), new Set(matches.map(([, two]) => two))];
  const aloneLeft = first.filter((one) => !left.has(one));
  const aloneRight = second.filter((two) => !right.has(two));
  const otherwise = joinMode === "enrichInput2" ? "preferInput1" : "preferInput2";
  const together = matches.map(([one, two]) => joined(parameters, one, two, otherwise));
  const renamed = (items: readonly Item[], suffix: string) =>
    // Where a side has nothing there is no clash.
    first.length === 0 || second.length === 0 ? items : items.map((item) => suffixedAlone(parameters, item, suffix));
  switch (joinMode) {
    case "keepMatches":
      return outputDataFrom === "input1"
        ? [...left]
        : outputDataFrom === "input2"
          ? second.filter((two) => right.has(two))
          : together;
    case "keepNonMatches": {
      if (outputDataFrom === "input1") return aloneLeft;
      if (outputDataFrom === "input2") return aloneRight;
      if (first.length === 0 || second.length === 0) return [...first, ...second];
      const from = (items: readonly Item[], _source: string) => items.map((item) => ({ ...item, _source }));
      return [...from(aloneLeft, "input1"), ...from(aloneRight, "input2")];
    }
    case "keepEverything":
      return [...together, ...renamed(aloneLeft, "1"), ...renamed(aloneRight, "2")];
    case "enrichInput1":
      return [...together, ...renamed(aloneLeft, "1")];
    default:
      return [...together, ...renamed(aloneRight, "2")];
  }
}
