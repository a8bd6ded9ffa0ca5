import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { machine } from "./testing/machines.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
  const called = machine({
    Ask: {
      Type: "Choice",
      Choices: [{ Variable: "$.n", NumericGreaterThan: 9, Next: "Refuse" }],
      Default: "Say",
    },
    Say: { Type: "Pass", Parameters: { "said.$": "States.Format('got {}', $.n)" }, End: true },
    Refuse: { Type: "Fail", Error: "TooMuch", Cause: "It is more than nine" },
  });
  const { status } = await story.call("POST", "workflow-imports", {
    source: JSON.stringify(called),
    name: "Inner machine",
    slug: "inner-machine",
  });
  expect(status).toBe(201);
});
afterAll(() => story.stop());

/** As a template writes what it fills in. */
const TEMPLATED = ["$", "{InnerMachine}"].join("");
const ARN = "arn:aws:states:eu-west-1:123456789012:stateMachine:Inner-Machine";
const callOf = (parameters: JsonObject, more: JsonObject = {}): JsonObject => ({
  Type: "Task",
  Resource: "arn:aws:states:::states:startExecution.sync:2",
  Parameters: { StateMachineArn: ARN, ...parameters },
  ...more,
});

describe("a state machine that runs another one", () => {
  it("hands an object to it and on what it ends with", async () => {
    const document = machine({ Call: callOf({ Input: { "n.$": "$.count" } }, { OutputPath: "$.Output" }) });
    const { status, output, report } = await story.run(document, { count: 7 });
    expect([status, output]).toEqual(["completed", { said: "got 7" }]);
    expect(report.settings).toMatchObject([{ kind: "workflow", name: "Inner-Machine" }]);
    const selected = machine({
      Call: callOf({ "Input.$": "$" }, { ResultSelector: { "text.$": "$.Output.said" }, ResultPath: "$.inner" }),
    });
    expect((await story.run(selected, { n: 8 })).output).toEqual({ n: 8, inner: { text: "got 8" } });
  });

  it("fails where it fails, unless that is caught", async () => {
    const open = machine({ Call: callOf({ "Input.$": "$" }) });
    expect((await story.run(open, { n: 10 })).status).toBe("failed");
    const caught = machine({
      Call: callOf(
        { "Input.$": "$" },
        { Catch: [{ ErrorEquals: ["States.TaskFailed"], Next: "Tell", ResultPath: "$.error" }], Next: "Tell" },
      ),
      Tell: { Type: "Pass", Parameters: { "cause.$": "$.error.Cause" }, End: true },
    });
    const { status, output, error } = await story.run(caught, { n: 10 });
    expect([status, error]).toEqual(["completed", null]);
    expect([status, output.cause]).toEqual(["completed", expect.stringContaining("It is more than nine")]);
  });

  it("is told by a name that a template fills in", async () => {
    const document = machine({ Call: callOf({ StateMachineArn: TEMPLATED, Input: {} }) });
    const { report } = await readForeign(JSON.stringify(document));
    expect(report.settings.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
      "configuration InnerMachine",
      "workflow InnerMachine",
    ]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "which state machine it calls is not written out",
      { StateMachineArn: undefined as never, "StateMachineArn.$": "$.arn" },
      {},
    ],
    ["its call has Name", { Name: "once", Input: {} }, {}],
    ["something else than an object", { Input: [1] }, {}],
    ["its result has no $.Status", { Input: {} }, { ResultSelector: { "s.$": "$.Status" } }],
    ["how long it may take", { Input: {} }, { TimeoutSeconds: 60 }],
  ])("stays open where %s", async (why, parameters, more) => {
    const document = JSON.parse(JSON.stringify(machine({ Call: callOf(parameters, more) }))) as JsonObject; // cast: it was one
    const { outcomes, report } = await story.preview(document);
    expect(outcomes.Call).toBe("placeholder");
    const notes = report.elements.find(({ type }) => type === "Task")?.notes ?? [];
    if (!why.startsWith("which")) expect(notes[0]).toContain(why);
  });
});

describe("a Lambda function that a state machine calls", () => {
  it.each([
    [{ Resource: "arn:aws:states:::lambda:invoke", Parameters: { FunctionName: TEMPLATED } }, TEMPLATED],
    [{ Resource: "arn:aws:lambda:eu-west-1:123456789012:function:check:3" }, "check:3"],
  ])("is named, and what it needs: %j", async (task, name) => {
    const { report } = await readForeign(JSON.stringify(machine({ Call: { Type: "Task", ...task } })));
    expect(report.elements.find(({ type }) => type === "Task")).toMatchObject({
      outcome: "placeholder",
      notes: [
        `it calls the Lambda function ${name}, whose code is not in the document: request it at an address (core.http), or write it in core.code`,
      ],
    });
  });
});

describe("names that a state machine gives", () => {
  it("catches errors of its own whose names begin as those of Step Functions", async () => {
    const branch = machine({
      Ask: { Type: "Choice", Choices: [{ Variable: "$.stop", BooleanEquals: true, Next: "Stop" }], Default: "Rest" },
      Stop: { Type: "Fail", Error: "States.Faux1", Cause: "enough" },
      Rest: { Type: "Succeed" },
    });
    const document = machine({
      Both: {
        ...{ Type: "Parallel", Branches: [branch], Next: "Missed" },
        Catch: [{ ErrorEquals: ["States.Faux1"], Next: "Caught" }],
      },
      Missed: { Type: "Pass", Result: "missed", End: true },
      Caught: { Type: "Pass", Parameters: { "error.$": "$.Error" }, End: true },
    });
    expect((await story.run(document, { stop: true })).output).toEqual({ error: "States.Faux1" });
    expect((await story.run(document, { stop: false })).output).toBe("missed");
  });

  it("has the run's id for that of the execution", async () => {
    const fields = { "id.$": "$$.Execution.Id", "text.$": "States.Format('run {}', $$.Execution.Name)" };
    const { id, output } = await story.run(machine({ Make: { Type: "Pass", Parameters: fields } }), {});
    expect(output).toEqual({ id: String(id), text: `run ${id}` });
  });
});
