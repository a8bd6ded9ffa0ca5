import { type Json, type JsonObject, JsonSchema } from "@oven/contract";
import type { Action, State, TransitionObject } from "@oven/contract/workflow";
import { defineCompositeNode, type ExpandRequest, type Expansion } from "@oven/module-registry";
import { reviewerInput } from "@oven/module-workflows";
import { isInputName, MAX_CODE_BYTES } from "@oven/sandbox";
import { z } from "zod";
import { modelInput } from "../model-input.ts";
import { stepToolStates, stepToolsInput, toFirstCall, toStepTools } from "../step-tools.ts";
import { callInput } from "../tool-executor.node.ts";
import { inspectProgram } from "./inspect-program.ts";
import { programLimits } from "./run-program.node.ts";
import { writerInput } from "./write-program.node.ts";

const { mode, toolTimeoutMs, toolLimits, needsApproval } = callInput;
const calling = { mode, toolTimeoutMs, toolLimits, needsApproval };
const { outputSchema } = modelInput;

const WRITER_KEYS = ["prompt", ...Object.keys(writerInput)];
const RUN_KEYS = ["tools", "agent", "outputSchema", ...Object.keys(programLimits)];
const EXECUTOR_KEYS = ["tools", "agent", ...Object.keys(calling), ...Object.keys(reviewerInput)];
const DEFAULT_CALLS = 100;
const DEFAULT_CORRECTIONS = 2;

export const codeModeNode = defineCompositeNode({
  id: "agent.code",
  version: 1,
  title: "Code mode",
  firstFields: ["prompt", "tools", "model", "code", "inputs", "outputSchema"],
  synonyms: ["code mode", "program", "python", "agent", "tools", "orchestrate", "batch"],
  docs: [
    "A program calls the tools: the model writes it once, instead of being asked after each call.",
    "",
    "The tools of the step are Python functions, with types from their schemas: `orders.get` is `await orders_get(id=7)`. Calls that are written together (`await asyncio.gather(…)`) run together. The value of the last expression is the `result`.",
    "`code` is a program that a person has written; no model is asked then. `inputs` are variables of the program, by name.",
    "",
    "Each call is an item with a row, an idempotency key, retries, a time-out and, where it needs one, an approval of its own, as in `agent.toolLoop`. A call that fails or is refused raises RuntimeError in the program, which may catch it.",
    "Between calls the state of the program is stored: a crash or a review of days repeats no recorded call and loses none.",
    "A program with errors of syntax or types, or that fails, goes back to the model with the line, at most `maxCorrections` times. Calls that it has made by then stay made, and the model is shown them: the same call of the next program is answered from the record, unless its tool only reads.",
    "`stepTools` are functions of this step alone, as at `agent.toolLoop`; calls of these run one after the other.",
    "The program runs in a process of its own, without clock, network, files or environment. It may make `maxCalls` calls, compute `timeoutMs` in all, wait for 100 calls at once, and hold 1 MiB while it waits.",
  ].join("\n"),
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  verbatim: ["code"],
  literals: ["code"],
  input: z
    .strictObject({
      prompt: z.string().optional().describe("What the program is to do"),
      ...writerInput,
      code: z
        .string()
        .min(1)
        .max(MAX_CODE_BYTES)
        .optional()
        .meta({ "x-code": "python" })
        .describe("A program in Python, instead of one that the model writes"),
      inputs: z.record(z.string(), JsonSchema).default({}).describe("Name → value: each is a variable of the program"),
      outputSchema: outputSchema.describe("JSON Schema of the result; one that does not fit goes back to the model"),
      ...programLimits,
      ...calling,
      stepTools: stepToolsInput,
      ...reviewerInput,
    })
    .superRefine(
      ({ inputs }, context) => {
        const wrong = Object.keys(inputs ?? {}).find((name) => !isInputName(name, "python"));
        if (wrong === undefined) return;
        context.addIssue({
          code: "custom",
          path: ["inputs"],
          message: `${JSON.stringify(wrong)} cannot be the name of an input: the program reads it as a variable`,
          params: { readsNames: true, fix: "Name it as a variable, such as order or order_total." },
        });
      },
      { when: ({ value }) => typeof value === "object" && value !== null },
    ),
  output: z.strictObject({
    result: JsonSchema.meta({ "x-type-from": { schema: "outputSchema", by: "model" } }),
    program: z.string(),
    calls: z.int().describe("How many tool calls were made"),
    corrections: z.int().describe("How often the model wrote the program again"),
  }),
  inspect: inspectProgram,
  expand,
});

/** `write` asks for a program, `run` and `tools` take turns until it ends. */
function expand({ stateId, input }: ExpandRequest): Expansion {
  const scratch = `$["${stateId}.scratch"]`;
  const stand = `$["${stateId}.run_output"]`;
  const written = `$["${stateId}.write_output"]`;
  const { code, inputs = {}, maxCorrections = DEFAULT_CORRECTIONS, maxCalls = DEFAULT_CALLS } = input;
  const isWritten = code === undefined;
  const own = toStepTools(input.stepTools);
  const declared = own.map(({ name, description, parameters }) => ({
    ...{ name, description },
    ...(parameters === undefined ? {} : { parameters }),
  }));
  const shared: JsonObject = { at: scratch, ...(own.length === 0 ? {} : { declaredTools: declared }) };
  const again = (problem: string): Action[] => [
    set(`${scratch}.problem`, problem),
    { type: "assign", params: { path: `${scratch}.corrections`, add: 1 } },
  ];
  const mayCorrect = {
    type: "condition" as const,
    params: { key: `${scratch}.corrections`, operator: "<" as const, value: maxCorrections },
  };
  const states: Record<string, State> = {
    start: {
      always: {
        target: isWritten ? "write" : "run",
        actions: [
          set(scratch, {
            program: code === undefined ? null : { $literal: code },
            ...{ isWritten, inputs, corrections: 0, problem: null, made: 0, batches: [], earlier: [] },
            ...{ asked: [], earlierAsked: [] },
          }),
        ],
      },
    },
    ...(isWritten ? { write: toWriter() } : {}),
    run: {
      label: "Program",
      invoke: {
        src: "agent.runProgram",
        input: { ...pick(input, RUN_KEYS), ...shared, last: stand },
        onDone: [
          { target: "done", guard: is(`${stand}.status`, "result") },
          ...(isWritten
            ? [
                {
                  target: "write",
                  guard: is(`${stand}.status`, "failed"),
                  actions: [...again(`${stand}.problem`), set(`${scratch}.made`, `${stand}.made`)],
                },
              ]
            : []),
          own.length === 0 ? { target: "tools" } : toFirstCall(scratch, `${stand}.repeated | default([])`),
        ],
      },
    },
    ...(own.length === 0 ? {} : stepToolStates(own, { stateId, scratch, needsApproval: input.needsApproval })),
    tools: {
      label: "Calls",
      invoke: {
        src: "agent.toolExecutor",
        input: {
          ...pick(input, EXECUTOR_KEYS),
          answered: own.length === 0 ? `${stand}.repeated | default([])` : `${scratch}.answered`,
          history: "none",
          allCalls: maxCalls,
        },
        onDone: {
          target: "run",
          actions: [
            {
              type: "assign",
              params: { path: `${scratch}.batches`, append: `$["${stateId}.tools_output"].results | default([])` },
            },
            { type: "assign", params: { path: `${scratch}.asked`, append: `${stand}.asked | default([])` } },
          ],
        },
      },
    },
    done: { type: "final" },
  };
  return {
    initial: "start",
    states,
    visits: {
      ...(typeof maxCorrections === "number" ? { write: 1 + maxCorrections } : {}),
      // The executor says what all calls together need, in however many visits they are made.
      tools: 1,
    },
    output: {
      result: `${stand}.result`,
      program: `${scratch}.program`,
      calls: `${stand}.made`,
      corrections: `${scratch}.corrections`,
    },
  };

  function toWriter(): State {
    const begin: TransitionObject = {
      target: "run",
      actions: [
        { type: "assign", params: { path: `${scratch}.earlier`, append: `${scratch}.batches` } },
        set(`${scratch}.batches`, []),
        { type: "assign", params: { path: `${scratch}.earlierAsked`, append: `${scratch}.asked` } },
        set(`${scratch}.asked`, []),
        set(`${scratch}.program`, `${written}.program`),
        set(`${scratch}.problem`, null),
      ],
    };
    return {
      label: "Model",
      invoke: {
        src: "agent.writeProgram",
        input: { ...pick(input, WRITER_KEYS), ...shared },
        onDone: [
          { ...begin, guard: { type: "condition", params: { key: `${written}.problem`, operator: "empty" } } },
          {
            target: "write",
            guard: mayCorrect,
            actions: [...again(`${written}.problem`), set(`${scratch}.program`, `${written}.program`)],
          },
          // Its types may be right all the same; syntax that is not is an error when it runs.
          begin,
        ],
      },
    };
  }
}

function is(key: string, value: string) {
  return { type: "condition" as const, params: { key, operator: "==" as const, value } };
}

const set = (path: string, value: Json): Action => ({ type: "assign", params: { path, value } });

function pick(input: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));
}
