import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { expectRefusals } from "../../importing/testing/damaged-documents.ts";
import { expectSameRuns } from "../../importing/testing/expect-same-runs.ts";
import { expectSoundGraphs } from "../../importing/testing/expect-sound-graphs.ts";
import { outcomesOf, settingsOf } from "../../importing/testing/read-imports.ts";
import { DAMAGED, SOUND } from "./testing/damaged-states.ts";
import { graphs } from "./testing/generated-graphs.ts";
import { runs } from "./testing/generated-runs.ts";

describe("generated state machines", () => {
  it("lose nothing, and become drafts with placeholders as their only problems", () => expectSoundGraphs(graphs));

  it("run as the specification says that they run there", () => expectSameRuns(runs));
});

it("a state machine that is not sound is refused at its place", () => expectRefusals(SOUND, DAMAGED));

it("what has no exact equal is named, with what a template fills in", async () => {
  const States = {
    Ask: {
      Type: "Task",
      Resource: "arn:aws:states:::lambda:invoke",
      Parameters: { FunctionName: `$\{Name}` },
      Next: "Each",
    },
    Each: {
      Type: "Map",
      ItemReader: {},
      ItemProcessor: { StartAt: "In", States: { In: { Type: "Pass", End: true } } },
      Next: "Say",
    },
    Say: { Type: "Pass", QueryLanguage: "JSONata", Output: "{% $sum($states.input.a) %}", Next: "Sum" },
    Sum: { Type: "Pass", Parameters: { "n.$": "States.UUID()" }, End: true },
  };
  const read = await readForeign(JSON.stringify({ StartAt: "Ask", States }));
  expect(read.product).toBe("states-language");
  expect(outcomesOf(read)).toMatchObject({
    Ask: "placeholder",
    In: "ignored",
    Each: "placeholder",
    Say: "placeholder",
    Sum: "placeholder",
  });
  expect(JSON.stringify(read.report)).toContain(
    `it calls the Lambda function $\{Name}, whose code is not in the document`,
  );
  expect(JSON.stringify(read.report)).toContain("the intrinsic function States.UUID");
  expect(settingsOf(read)).toEqual(["configuration Name"]);
});
