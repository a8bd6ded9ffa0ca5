import type { Json, JsonObject } from "@oven/contract";
import { DefinitionSchema, type Guard } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { modeOf, modesOf } from "./field-mode.ts";
import { isGuardForm, isGuardShape, withGuardKind } from "./guard-kinds.ts";
import { toFields } from "./shape.ts";

const compare: Guard = { type: "condition", params: { key: "$.trigger.amount", operator: ">", value: 5 } };
const cel: Guard = { type: "cel", params: { expression: "trigger.vip" } };

describe("another kind of condition", () => {
  it.each<[string, Guard, Guard["type"], Guard]>([
    ["a comparison into a group", compare, "all", { type: "all", guards: [compare] }],
    ["CEL into a group", cel, "any", { type: "any", guards: [cel] }],
    [
      "one group into the other",
      { type: "all", guards: [compare, cel] },
      "any",
      { type: "any", guards: [compare, cel] },
    ],
    [
      "a group, denied",
      { type: "all", guards: [compare, cel] },
      "not",
      { type: "not", guard: { type: "all", guards: [compare, cel] } },
    ],
    ["what was denied into a group", { type: "not", guard: cel }, "all", { type: "all", guards: [cel] }],
    ["the only one out of its group", { type: "any", guards: [cel] }, "cel", cel],
    ["a comparison into CEL", compare, "cel", { type: "cel", params: { expression: "trigger.amount > 5" } }],
    ["what was denied, alone", { type: "not", guard: compare }, "condition", compare],
  ])("takes %s", (_, guard, kind, expected) => {
    expect(withGuardKind(guard, kind)).toEqual(expected);
  });
});

describe("the form of conditions", () => {
  const schema = z.toJSONSchema(DefinitionSchema, { io: "input", unrepresentable: "any" }) as JsonObject; // cast: a JSON Schema is JSON
  const defs = schema.$defs as Record<string, JsonObject>; // cast: named schemas
  const [guard] = Object.values(defs).filter(
    (one) => JSON.stringify(one).includes('"loose"') && one.oneOf !== undefined,
  );
  const [field] = toFields({ type: "object", properties: { guard: guard ?? {} }, $defs: defs } as JsonObject); // cast: JSON
  if (field === undefined) throw new Error("no field");

  it("is for every condition, at any depth, and not for an expression", () => {
    expect(isGuardShape(field.shape)).toBe(true);
    let deep: Guard = compare;
    for (let depth = 0; depth < 12; depth += 1) deep = { type: depth % 2 === 0 ? "all" : "any", guards: [deep, cel] };
    expect(modeOf(field.shape, deep)).toBe("fixed");
    expect(modesOf(field.shape)).toEqual(["fixed", "json"]);
    expect(isGuardShape({ kind: "variants", variants: [] })).toBe(false);
  });

  it("leaves to JSON what it cannot say", () => {
    expect([compare, cel, { type: "not", guard: null }].map(isGuardForm)).toEqual([true, true, true]);
    const odd: (Json | undefined)[] = [
      { ...compare, note: "why" },
      { type: "cel", params: { expression: "a", more: 1 } },
      { type: "xor" },
      null,
      [],
    ];
    expect(odd.map((value) => isGuardForm(value))).toEqual([false, false, false, false, false]);
  });
});
