import type { JsonObject } from "@oven/contract";
import type { CelLanguage } from "@oven/contract/workflow";
import { celLanguage, checkCel } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { completeCel } from "./cel-completions.ts";
import { variablesAt } from "./variables.ts";

const language: CelLanguage = celLanguage();
const definition: JsonObject = {
  initial: "check",
  context: { tries: 0, "odd key": 1 },
  payloadSchema: {
    type: "object",
    properties: {
      order: {
        type: "object",
        properties: { id: { type: "string", description: "Its number" }, "line-count": { type: "integer" } },
      },
      tags: { type: "array" },
    },
  },
  states: {
    check: { invoke: { src: "core.log", onDone: "each" } },
    each: {
      loop: {
        type: "forEach",
        collection: [],
        bodyInitial: "one",
        bodyStates: { one: { type: "final" } },
        onDone: "end",
      },
    },
    end: { type: "final" },
  },
};
/** `|` is the cursor. */
function offered(text: string, stateId = "end") {
  const at = text.indexOf("|");
  const whole = text.replace("|", "");
  return { at, whole, list: completeCel(whole, at, variablesAt(definition, stateId, undefined), language) };
}
const labels = (text: string, stateId?: string) => offered(text, stateId).list.map(({ label }) => label);

describe("completions of CEL", () => {
  it("are the names in scope with their types, and no other step's", () => {
    const { list } = offered("|");
    expect(list.find(({ label }) => label === "ctx.tries")).toMatchObject({ detail: "number", kind: "variable" });
    expect(labels("|")).toEqual(
      expect.arrayContaining(["ctx.check_output", "trigger", "ctx", "execution", "size", "has"]),
    );
    expect(labels("|", "check")).not.toContain("ctx.check_output");
  });

  it("have the item of a loop only inside it", () => {
    expect(labels("it|", "one")).toContain("item");
    expect(labels("it|", "end")).not.toContain("item");
  });

  it("are the members of what stands before the dot, in brackets where a name cannot be one", () => {
    expect(labels("trigger.|").slice(0, 2)).toEqual(["order", "tags"]);
    expect(offered("1 + trigger.order.i|").list[0]).toMatchObject({
      label: "id",
      detail: "string",
      info: "Its number",
    });
    expect(offered("trigger.order.li|").list[0]).toMatchObject({
      apply: '["line-count"]',
      from: "trigger.order".length,
    });
    expect(labels("ctx.|")).toEqual(expect.arrayContaining(["tries", "check_output"]));
    expect(labels("ctx.|")).not.toContain("trigger");
    expect(labels('ctx["odd key"].|')).not.toContain("tries");
  });

  it("are the methods and macros of the type", () => {
    expect(labels("trigger.order.id.|")).toEqual(expect.arrayContaining(["startsWith", "matches"]));
    expect(labels("trigger.order.id.|")).not.toContain("getFullYear");
    expect(labels("trigger.tags.|")).toEqual(expect.arrayContaining(["exists", "join", "size"]));
    expect(labels("trigger.tags.|")).not.toContain("startsWith");
    expect(labels("string(1).|")).toEqual(expect.arrayContaining(["startsWith", "getFullYear"]));
    expect(labels("cel.|")).toEqual(["bind"]);
  });

  it("are members behind `.?`, and behind them what a value that may be missing has", () => {
    expect(labels("trigger.?|")).toEqual(["order", "tags"]);
    expect(offered("trigger.order.?li|").list[0]).toMatchObject({
      apply: '[?"line-count"]',
      from: "trigger.order".length,
    });
    expect(labels("trigger.?order.|").slice(0, 2)).toEqual(["id", "line-count"]);
    expect(labels("trigger.?order.id.|").sort()).toEqual(["hasValue", "or", "orValue", "value"]);
    expect(labels('ctx[?"odd key"].|').sort()).toEqual(["hasValue", "or", "orValue", "value"]);
    expect(labels('ctx["a?"].|')).toContain("startsWith");
  });

  it("are none inside a text, a remark or a number", () => {
    expect([labels("'tri|"), labels('"a" + "tr|'), labels("1 // tr|"), labels("12|")]).toEqual([[], [], [], []]);
    expect(labels("'it' + tr|")).toContain("trigger");
  });

  it("lead to a text that the server takes", () => {
    for (const text of [
      "|",
      "trigger.|",
      "trigger.order.|",
      "ctx.|",
      "trigger.order.li|",
      "trigger.?|",
      "trigger.order.?|",
      "ctx.?|",
    ]) {
      const { at, whole, list } = offered(text);
      for (const { apply, from, back, label } of list.filter(
        ({ kind }) => kind === "variable" || kind === "property",
      )) {
        const written = whole.slice(0, from) + apply + whole.slice(at);
        expect(checkCel(written), `${label}: ${written}`).toEqual({ problem: null });
        expect(back).toBe(0);
      }
    }
  });
});
