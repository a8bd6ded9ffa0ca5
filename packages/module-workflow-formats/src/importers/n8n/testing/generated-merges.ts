import type { Json, JsonObject } from "@oven/contract";
import type { Random } from "../../../importing/testing/random.ts";

const JOINS = ["keepMatches", "keepNonMatches", "keepEverything", "enrichInput1", "enrichInput2"];

const clashHandling = (random: Random, kinds: readonly string[]): JsonObject => {
  const resolveClash = random.chance(40) ? undefined : random.pick(kinds);
  if (resolveClash === undefined) return {};
  const mergeMode = random.chance(40) ? undefined : random.pick(["deepMerge", "shallowMerge"]);
  return { clashHandling: { values: { resolveClash, ...(mergeMode === undefined ? {} : { mergeMode }) } } };
};

const ALL_CLASHES = ["preferInput1", "preferInput2", "addSuffix"];

/**
 * A Merge over lists, of any version and in any mode that is carried over.
 * @param fields that the items of both sides may have
 */
export function generateMerge(
  random: Random,
  fields: readonly string[],
): { parameters: JsonObject; typeVersion: number } {
  const field = () => random.pick(fields);
  const key = (): JsonObject => ({ propertyName1: field(), propertyName2: field() });
  const byFields = (typeVersion: number): JsonObject => {
    const isAdvanced = typeVersion < 3 || random.chance(40);
    // Of two pairs with one field of the second side n8n takes the last alone, which is not documented.
    const seconds = random.chance(50) ? fields.slice(0, 2) : fields.slice(0, 2).toReversed();
    const values = seconds.slice(0, random.between(1, 2)).map((field2) => ({ field1: field(), field2 }));
    const names = random.chance(70) ? field() : fields.slice(0, 2).join(",");
    return {
      ...(typeVersion < 3 ? { combinationMode: "mergeByFields" } : { combineBy: "combineByFields" }),
      ...(isAdvanced ? { advanced: true, mergeByFields: { values } } : { fieldsToMatchString: names }),
      ...{ joinMode: random.pick(JOINS), outputDataFrom: random.pick(["both", "input1", "input2"]) },
      options: { ...clashHandling(random, ALL_CLASHES), ...(random.chance(30) ? { multipleMatches: "first" } : {}) },
    };
  };
  const typeVersion = random.pick([1, 2.1, 3, 3.1]);
  if (typeVersion === 1)
    return {
      typeVersion,
      parameters: random.pick<JsonObject>([
        ...["removeKeyMatches", "keepKeyMatches"].map((mode) => ({ mode, ...key() })),
        { mode: "mergeByKey", ...key(), overwrite: random.pick(["always", "blank", "undefined"]) },
        { mode: "mergeByIndex", join: random.pick(["inner", "left", "outer"]) },
        ...[{ mode: "multiplex" }, { mode: "passThrough", output: random.pick(["input1", "input2"]) }],
      ]),
    };
  const isNew = typeVersion >= 3;
  // What version 3 makes of suffixes by position is not documented.
  const clashes = isNew ? ["preferInput1", "preferInput2"] : ALL_CLASHES;
  const combined = random.pick<JsonObject>([
    ...Array<JsonObject>(3).fill(byFields(typeVersion)),
    {
      ...(isNew ? { combineBy: "combineByPosition" } : { combinationMode: "mergeByPosition" }),
      options: { ...clashHandling(random, clashes), ...(random.chance(40) ? { includeUnpaired: true } : {}) },
    },
    {
      ...(isNew ? { combineBy: "combineAll" } : { combinationMode: "multiplex" }),
      options: clashHandling(random, ALL_CLASHES),
    },
  ]);
  const chosen: Json = random.between(1, 2);
  return {
    typeVersion,
    parameters: random.pick<JsonObject>([
      ...Array<JsonObject>(5).fill({ mode: "combine", ...combined }),
      { mode: "append" },
      { mode: "chooseBranch", ...(isNew ? { useDataOfInput: chosen } : { output: `input${chosen}` }) },
    ]),
  };
}
