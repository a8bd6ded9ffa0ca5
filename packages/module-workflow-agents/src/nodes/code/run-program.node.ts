import { isOvenError, type JsonObject, JsonObjectSchema, OvenError } from "@oven/contract";
import type { ToolCall } from "@oven/contract/ai";
import { mismatchOf } from "@oven/module-ai";
import { defineNode, done, type NodeContext } from "@oven/module-registry";
import { type CallAnswer, DEFAULT_LIMITS, MAX_LIMITS, type ProgramStep } from "@oven/sandbox";
import { z } from "zod";
import { AgentRefSchema } from "../model-input.ts";
import { DeclaredToolsSchema } from "../step-tools.ts";
import { type CodePlace, type Problem, placeInput, readPlace, type Stand, StandSchema } from "./code-place.ts";
import { programTools } from "./program-tools.ts";
import { findRepeated } from "./repeated-calls.ts";

/** What a program may use; `agent.code` hands it on. */
export const programLimits = {
  maxCalls: z
    .int()
    .positive()
    .max(1_000)
    .default(100)
    .describe("How many tool calls the program may make; one more is the error CODE_CALL_LIMIT"),
  timeoutMs: z
    .int()
    .positive()
    .max(MAX_LIMITS.timeMs)
    .default(DEFAULT_LIMITS.timeMs)
    .describe("How long the program may compute in all; waiting for its calls does not count"),
  memoryMb: z
    .int()
    .min(8)
    .max(MAX_LIMITS.memoryMb)
    .default(DEFAULT_LIMITS.memoryMb)
    .meta({ title: "Memory (MiB)" })
    .describe("How much the program may hold in memory"),
  maxCorrections: z
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe("How often a program that fails goes back to the model, with the line and what is wrong"),
};

const RunInput = z.strictObject({
  ...placeInput,
  last: z.string().min(1).max(500).describe("The path of what this step has answered last"),
  tools: z.array(z.string().min(1)).optional().describe("What the program may call: ids or patterns"),
  agent: AgentRefSchema,
  declaredTools: DeclaredToolsSchema.optional(),
  outputSchema: JsonObjectSchema.optional().describe("JSON Schema of the result"),
  ...programLimits,
});
type Context = NodeContext<z.output<typeof RunInput>>;

/** Errors of the program itself: another program may do better. */
const CORRECTABLE: ReadonlySet<string> = new Set([
  "CODE_SYNTAX",
  "CODE_FAILED",
  "CODE_TIMEOUT",
  "CODE_MEMORY",
  "CODE_OUTPUT_TOO_LARGE",
  "CODE_RESULT_INVALID",
  "NUMBER_NOT_EXACT",
  "OUTPUT_SCHEMA_MISMATCH",
]);

export const runProgramNode = defineNode({
  id: "agent.runProgram",
  version: 1,
  title: "Run a program",
  synonyms: ["code mode", "python"],
  docs: [
    "Part of `agent.code`: runs its program until it waits for tool calls, or ends.",
    "",
    "The calls are in `$.toolCalls` for an agent.toolExecutor. `session` is where the program goes on from; where it cannot be read, the program begins anew with the recorded answers, which gives the same.",
    "The program computes in a process of its own and reaches nothing but its inputs and the answers of its calls, so this step has no effects.",
  ].join("\n"),
  category: "agent",
  kind: "data",
  effect: "pure",
  isLocal: true,
  paths: ["at", "last"],
  reads: ({ at, last }) => [at, last].filter((path) => typeof path === "string"),
  input: RunInput,
  output: StandSchema,
  async run(context) {
    const place = readPlace(context);
    const stand = await toStand(context, place);
    for (const line of stand.logs) context.log("info", line);
    if (stand.calls.length === 0) return done(toOutput(stand));
    return done(toOutput(stand), { patch: [{ op: "add", path: "/toolCalls", value: stand.calls.map(toJson) }] });
  },
});

type Reached = Stand & { calls: ToolCall[] };

function toOutput({ calls: _patched, ...stand }: Reached): JsonObject {
  return StandSchema.parse(stand) as JsonObject; // cast: the schema is of JSON
}

const toJson = (call: ToolCall): JsonObject => ({ ...call });

async function toStand(context: Context, place: CodePlace): Promise<Reached> {
  const { input, read } = context;
  const last = place.batches.length === 0 ? undefined : StandSchema.parse(read(input.last) ?? null);
  const made = last?.made ?? place.made;
  // A program goes on with the functions that it began with; whether it may still call them, the tool executor checks each time.
  const functions = last?.functions ?? (await listFunctions(context, place));
  try {
    const step = await advance(context, place, last, functions);
    const { logs } = step;
    if (step.type === "result") {
      checkResult(input.outputSchema, step);
      return { status: "result", result: step.result, made, logs, calls: [] };
    }
    const calls = step.calls.map(({ name, arguments: given }, position): ToolCall => {
      const tool = functions.find((known) => known.name === name)?.tool ?? name;
      return { toolCallId: `call-${made + position + 1}`, tool, arguments: given };
    });
    const all = made + calls.length;
    if (all > input.maxCalls) throw tooManyCalls(input.maxCalls);
    const asked = calls.map(({ tool, arguments: given }) => ({ tool, arguments: given }));
    const repeated = repeatedOf(context, place, calls);
    return {
      status: "calls",
      session: step.session,
      functions,
      open: calls.length,
      asked,
      repeated,
      made: all,
      logs,
      calls,
    };
  } catch (error) {
    const mayCorrect = place.isWritten && place.corrections < input.maxCorrections;
    if (!mayCorrect || !isOvenError(error) || !CORRECTABLE.has(error.code)) throw error;
    return { status: "failed", problem: toProblem(error), made, logs: [], calls: [] };
  }
}

/** Tools of the step alone are none of the catalogue: what they do is not known, and they are run again. */
function repeatedOf({ services, principal, log }: Context, place: CodePlace, calls: readonly ToolCall[]) {
  const effectOf = (id: string) => services.tools.get(id, principal.tenantId)?.effect;
  const repeated = findRepeated(
    place,
    calls.filter(({ tool }) => effectOf(tool) !== undefined),
    effectOf,
  );
  for (const { tool } of repeated) log("info", `${tool} is answered from the record of an earlier program`);
  return repeated;
}

type Functions = NonNullable<Stand["functions"]>;

async function listFunctions(context: Context, { inputs }: CodePlace): Promise<Functions> {
  const tools = await programTools(context, Object.keys(inputs));
  return tools.map(({ name, tool, parameters }) => ({ name, tool: tool.id, parameters }));
}

async function advance(
  { services, input, signal, log, options }: Context,
  { program, inputs, batches }: CodePlace,
  last: Stand | undefined,
  functions: Functions,
): Promise<Exclude<ProgramStep, { type: "unreadable" }>> {
  if (program === null) throw new OvenError("CODE_SYNTAX", "There is no program", { status: 422 });
  const request = {
    code: program,
    functions: functions.map(({ name, parameters }) => ({ name, parameters })),
    inputs,
    limits: { timeMs: input.timeoutMs, memoryMb: input.memoryMb },
    signal,
  };
  const answers = batches.map(toAnswers);
  const newest = answers.at(-1);
  if (last?.session !== undefined && newest !== undefined) {
    // A dry run makes no calls: what has no recorded answer gives None.
    const missing = options?.dryRun === true ? Math.max(0, (last.open ?? 0) - newest.length) : 0;
    const all = [...newest, ...Array.from({ length: missing }, (): CallAnswer => ({ value: null }))];
    const step = await services.sandbox.advance({ ...request, from: { session: last.session, answers: all } });
    if (step.type !== "unreadable") return step;
    log("info", `The program begins anew with its ${batches.length} recorded answers: ${step.message}`);
  }
  const step = await services.sandbox.advance({ ...request, from: { answers } });
  if (step.type !== "unreadable") return step;
  throw new OvenError("CODE_CRASHED", "The program cannot be begun", { status: 500, details: { how: step.message } });
}

function toAnswers(batch: CodePlace["batches"][number]): CallAnswer[] {
  return batch.map(({ result = null, error }) => (error === undefined ? { value: result } : { error }));
}

/** @throws OvenError OUTPUT_SCHEMA_MISMATCH */
function checkResult(schema: JsonObject | undefined, { result }: Extract<ProgramStep, { type: "result" }>): void {
  const mismatch = schema === undefined ? undefined : mismatchOf(schema, result);
  if (mismatch === undefined) return;
  throw new OvenError("OUTPUT_SCHEMA_MISMATCH", `The program's result does not fit \`outputSchema\`: ${mismatch}`, {
    status: 422,
    fix: "Let the program return what the schema describes, or relax the schema.",
  });
}

function toProblem({ code, message, details = {} }: OvenError): Problem {
  const { line, traceback } = details;
  return {
    code,
    message,
    ...(typeof line === "number" ? { line } : {}),
    ...(typeof traceback === "string" ? { traceback } : {}),
  };
}

function tooManyCalls(most: number): OvenError {
  return new OvenError("CODE_CALL_LIMIT", `The program makes more than ${most} calls`, {
    status: 422,
    fix: "Look for a loop that does not end, or raise maxCalls (at most 1,000).",
  });
}
