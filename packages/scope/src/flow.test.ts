import type { JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { presenceOf, wayWithout } from "./flow.ts";

const step = (onDone: string): JsonObject => ({ invoke: { src: "x", onDone } });
/** `ask` or not, then `use`. */
const FORK: JsonObject = {
  initial: "choice",
  states: {
    choice: { always: [{ target: "ask", guard: { type: "cel", params: { expression: "true" } } }, "use"] },
    ask: step("use"),
    use: step("end"),
    end: { type: "final" },
    late: step("end"),
  },
};
const output = (id: string) => ({ id, what: "output" as const });

it("a result is there on every way, on some, or on none", () => {
  const at = (id: string, stateId: string, moment: "entered" | "done" = "entered") =>
    presenceOf(FORK, output(id), { stateId, moment });
  expect([at("ask", "use"), at("use", "end"), at("use", "ask"), at("use", "use", "done")]).toEqual([
    "sometimes",
    "always",
    "never",
    "always",
  ]);
});

it("names the shortest way on which a result is missing", () => {
  expect(wayWithout(FORK, "ask", "use")).toEqual(["choice", "use"]);
  expect(wayWithout(FORK, "use", "end")).toBeNull();
});

it("what a region beside leaves may be there at any time", () => {
  const document: JsonObject = {
    initial: "both",
    states: {
      both: {
        type: "parallel",
        onDone: "end",
        states: {
          left: { initial: "a", states: { a: step("a2"), a2: { type: "final" } } },
          right: { initial: "b", states: { b: step("b2"), b2: { type: "final" } } },
        },
      },
      end: { type: "final" },
    },
  };
  expect(presenceOf(document, output("a"), { stateId: "b", moment: "entered" })).toBe("sometimes");
  expect(presenceOf(document, output("a"), { stateId: "end", moment: "entered" })).toBe("always");
});

it("what regions leave is there in the rounds of a loop behind them", () => {
  const final: JsonObject = { type: "final" };
  // In this order the result of the longer region is known while the rounds are looked at already.
  const document: JsonObject = {
    initial: "first",
    states: {
      both: {
        type: "parallel",
        onDone: "loop",
        states: {
          left: { initial: "a", states: { out: final, a: step("out") } },
          right: { initial: "b", states: { b: step("c"), out2: final, c: step("out2") } },
        },
      },
      first: step("both"),
      loop: {
        loop: {
          type: "forEach",
          collection: "$.trigger.list",
          bodyInitial: "in",
          bodyStates: { round: final, in: step("round") },
        },
        onDone: "end",
      },
      end: final,
    },
  };
  for (const id of ["first", "a", "b", "c"])
    expect(presenceOf(document, output(id), { stateId: "in", moment: "entered" })).toBe("always");
});
