import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { CODE_LANGUAGES, DEFAULT_LIMITS, isInputName, MAX_CODE_BYTES, MAX_LIMITS } from "@oven/sandbox";
import { z } from "zod";
import { toCodeProblems } from "../code/code-problems.ts";

const DEFAULT_LANGUAGE = "javascript";

const CodeInput = z
  .strictObject({
    language: z.enum(CODE_LANGUAGES).default(DEFAULT_LANGUAGE),
    code: z
      .string()
      .min(1)
      .max(MAX_CODE_BYTES)
      .meta({ "x-code": "language" })
      .describe("`return` gives the result; in Python so does the last expression"),
    inputs: z
      .record(z.string(), JsonSchema)
      .default({})
      .describe("Name → value: each is a variable of the code, and nothing else of the run is in reach"),
    timeoutMs: z
      .int()
      .positive()
      .max(MAX_LIMITS.timeMs)
      .default(DEFAULT_LIMITS.timeMs)
      .describe("How long the code may compute"),
    memoryMb: z
      .int()
      .min(8)
      .max(MAX_LIMITS.memoryMb)
      .default(DEFAULT_LIMITS.memoryMb)
      .meta({ title: "Memory (MiB)" })
      .describe("How much the code may hold in memory"),
  })
  .superRefine(
    ({ language, inputs }, context) => {
      const wrong = Object.keys(inputs ?? {}).find((name) => !isInputName(name, language ?? DEFAULT_LANGUAGE));
      if (wrong === undefined) return;
      context.addIssue({
        code: "custom",
        path: ["inputs"],
        message: `${JSON.stringify(wrong)} cannot be the name of an input: code reads it as a variable`,
        params: { readsNames: true, fix: "Name it as a variable, such as order or orderTotal." },
      });
    },
    // It reads no values, so it finds wrong names also where another input is known in a run only.
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

/** What is looked at; what is wrong with its shape, the schema of the input says. */
const WrittenSchema = z.object({ language: z.enum(CODE_LANGUAGES), code: z.string().min(1), inputs: JsonObjectSchema });

export const codeNode = defineNode({
  id: "core.code",
  version: 1,
  title: "Code",
  firstFields: ["language", "code", "inputs"],
  synonyms: ["code", "javascript", "python", "function", "script", "js", "program", "compute"],
  docs: [
    "Runs JavaScript or Python that is written in the step, on nothing but its `inputs`, and answers what it returns (`result`) and prints (`logs`).",
    "",
    "Each input is a variable by its name. `code` is taken as it is written: nothing in it is a path or a template.",
    "JavaScript is the body of an async function. Python has no classes and few modules; the value of the last expression is the result, as `return` is.",
    "",
    "There is no clock, no network, no file, no environment and no data of other steps. `Math.random()` gives the same numbers whenever the step runs again.",
    "`Date.now()`, `new Date()` and `datetime.now()` fail: hand the time over as an input, such as `$.execution.startedAt`.",
    "",
    "The code runs in a process of its own with limits of time and memory: an endless loop or a crash fails this step and nothing else.",
    "Inputs and result may have 5 MiB each, what is printed 1,000 lines or 100 KiB. A result that JSON cannot hold exactly is the error CODE_RESULT_INVALID.",
  ].join("\n"),
  category: "core",
  kind: "data",
  effect: "pure",
  isLocal: true,
  literals: ["language", "code"],
  verbatim: ["code"],
  input: CodeInput,
  output: z.strictObject({
    result: JsonSchema.meta({ "x-type-from": { sample: "result" } }),
    logs: z.array(z.string()).describe("The lines that the code has printed"),
  }),
  async inspect({ input: { code, language = DEFAULT_LANGUAGE, inputs = {} } }, { sandbox }) {
    const { data } = WrittenSchema.safeParse({ code, language, inputs });
    if (data === undefined) return [];
    const inputNames = Object.keys(data.inputs).filter((name) => isInputName(name, data.language));
    const stubs = ["from typing import Any", ...inputNames.map((name) => `${name}: Any = None`)].join("\n");
    return toCodeProblems(await sandbox.check({ language: data.language, code: data.code, inputNames, stubs }));
  },
  async run({ input, services, signal, idempotencyKey }) {
    const { language, code, inputs, timeoutMs, memoryMb } = input;
    const { result, logs } = await services.sandbox.run({
      language,
      code,
      inputs,
      seed: idempotencyKey(),
      limits: { timeMs: timeoutMs, memoryMb },
      signal,
    });
    return done({ result, logs });
  },
});
