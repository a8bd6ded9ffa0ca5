import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { machine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const jsonata = (states: Record<string, JsonObject>): JsonObject => ({ QueryLanguage: "JSONata", ...machine(states) });
const INPUT: JsonObject = { a: { b: [1, "two"], "c d": "x" }, n: 3, yes: true, none: null, wait: 0, text: "Sold out" };

describe("a state whose values are JSONata", () => {
  it("hands on and keeps what its paths read", async () => {
    const document = jsonata({
      Keep: { Type: "Pass", Assign: { n: "{% $states.input.n %}", deep: { list: ["{% $states.input.a.b[1] %}", 1] } } },
      Hold: { Type: "Wait", Seconds: "{% $states.input.wait %}" },
      Make: {
        Type: "Pass",
        Output: {
          ...{ n: "{% $n %}", two: "{% $deep.list[0] %}", spaced: "{% $states.input.a.`c d` %}", fixed: "{{ $.x }}" },
          ...{
            all: "{% $states.context.Execution.Input.a %}",
            name: "{% $states.context.State.Name %}",
            one: "{% 1 %}",
          },
        },
      },
      End: { Type: "Succeed", Output: ["{% $states.input %}", "{% 'it' %}"] },
    });
    const { status, output } = await story.run(document, INPUT);
    const all = { b: [1, "two"], "c d": "x" };
    const made = { n: 3, two: "two", spaced: "x", fixed: "{{ $.x }}", all, name: "Make", one: 1 };
    expect([status, output]).toEqual(["completed", [made, "it"]]);
  });

  it.each<[string, boolean]>([
    ["$states.input.n = 3", true],
    ["3 != $states.input.n", false],
    ["$states.input.n > 2 and $states.input.text = 'Sold out'", true],
    ["4 > $states.input.n", true],
    ["$states.input.n < 3 or ($states.input.none = null and $states.input.yes = false)", false],
    ["$not($states.input.n <= 2)", true],
    ["$exists($states.input.absent)", false],
    ["$states.input.absent != 1", false],
    ["$states.input.yes", true],
    ["$states.input.n = $states.input.a.b[0]", false],
  ])("chooses by %s", async (condition, holds) => {
    const document = jsonata({
      Ask: {
        Type: "Choice",
        Choices: [{ Condition: `{% ${condition} %}`, Output: "yes", Next: "End" }],
        Default: "No",
      },
      No: { Type: "Pass", Output: "no", Next: "End" },
      End: { Type: "Succeed" },
    });
    expect((await story.run(document, INPUT)).output).toBe(holds ? "yes" : "no");
  });

  it("fails with what its paths read, and where they read nothing", async () => {
    const fails = await story.run(jsonata({ Stop: { Type: "Fail", Cause: "{% $states.input.text %}" } }), INPUT);
    expect(fails.status).toBe("failed");
    expect(JSON.stringify(fails.error)).toContain("Sold out");
    const document = jsonata({
      Make: { Type: "Pass", Output: "{% $states.input.absent %}" },
      End: { Type: "Succeed" },
    });
    expect((await story.run(document, INPUT)).status).toBe("failed");
  });

  it.each<[JsonObject, string]>([
    [{ Type: "Pass", Output: "{% $sum($states.input.a.b) %}" }, "the expression $sum($states.input.a.b)"],
    [{ Type: "Pass", Output: "{% $states.input.n + 1 %}" }, "the expression $states.input.n + 1"],
    [{ Type: "Pass", Output: { x: "{% $states.input.n = 1 %}" } }, "the expression $states.input.n = 1"],
    [{ Type: "Pass", Output: "{% $nothing.a %}" }, "assigns $nothing"],
    [{ Type: "Pass", Output: "{% $states.result %}" }, "the expression $states.result"],
    [
      { Type: "Pass", Assign: { n: "{% $states.input.n %}" }, Output: "{% $n %}" },
      "it reads a variable that it assigns",
    ],
    [{ Type: "Pass", ResultPath: "$.x", Output: 1 }, "it has ResultPath"],
    [{ Type: "Wait", Seconds: "{% $states.input.n * 2 %}" }, "the expression $states.input.n * 2"],
    [
      {
        Type: "Map",
        Items: "{% $states.input.list %}",
        ItemProcessor: { StartAt: "In", States: { In: { Type: "Succeed" } } },
      },
      "its values are JSONata: {% $states.input.list %}",
    ],
    [
      { Type: "Choice", Choices: [{ Condition: "{% $states.input.n in [1] %}", Next: "End" }] },
      "the expression $states.input.n in [1]",
    ],
    [{ Type: "Choice", Choices: [{ Variable: "$.n", NumericEquals: 1, Next: "End" }] }, "a rule of it has Variable"],
    [
      { Type: "Choice", Choices: [{ Condition: "{% $states.input.n and true %}", Next: "End" }] },
      "the expression $states.input.n and true",
    ],
  ])("stays open, and names it: %j", async (state, why) => {
    const { outcomes, report } = await story.preview(jsonata({ Make: state, End: { Type: "Succeed" } }));
    expect(outcomes.Make).toBe("placeholder");
    expect(report.elements.flatMap(({ notes }) => notes).join()).toContain(why);
  });

  it("that stays open hands on what its output reads from the result", async () => {
    const { report } = await story.preview(
      jsonata({
        Ask: { Type: "Task", Resource: "arn", Output: "{% $states.result.a %}" },
        Sum: { Type: "Task", Resource: "arn", Output: "{% $sum($states.result) %}" },
      }),
    );
    const notes = Object.fromEntries(
      report.elements.map(({ name, notes: own }) => [name, own.join()] as [string, Json]),
    );
    expect(notes.Ask).not.toContain("Where its result goes");
    expect(notes.Sum).toContain("Where its result goes was not imported: the expression $sum($states.result)");
  });
});
