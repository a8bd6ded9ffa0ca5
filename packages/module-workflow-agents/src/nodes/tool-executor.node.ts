import { isOvenError, type Json, JsonSchema, OvenError } from "@oven/contract";
import { type Message, type ToolCall, ToolCallSchema, type ToolInfo } from "@oven/contract/ai";
import {
  type Effect,
  type ItemRequest,
  type NodeResult,
  type NodeSignal,
  type ToolCallRecord,
  ToolCallRecordSchema,
} from "@oven/contract/node";
import { ApprovalConditionSchema, type ReleasedToolCall, ReleasedToolCallSchema } from "@oven/contract/review";
import { asksAbout, isCondition } from "@oven/engine";
import { asksFirst, namesTool } from "@oven/module-agent-core";
import {
  defineNode,
  done,
  type NodeContext,
  type ToolAnswer,
  ToolInputNeeded,
  ToolPending,
  toToolRun,
} from "@oven/module-registry";
import {
  type CallToApprove,
  callOrAsk,
  callReleased,
  effectRefused,
  findAnswer,
  isApproval,
  isHarmless,
  orAskPerson,
  type ReleasedCall,
  readAsked,
  requireReleased,
  reviewerInput,
  toDueAt,
} from "@oven/module-workflows";
import { z } from "zod";
import { toolsCeiling } from "./ceilings.ts";
import { appendMessages, HistorySchema, lastAssistantText, readMessages } from "./conversation.ts";
import { AgentRefSchema, StepSchema } from "./model-input.ts";
import { firstIssue, unexpectedSignal } from "./node-error.ts";
import { offeredTools } from "./offered-tools.ts";
import { PrepareStepSchema } from "./prepare-step.ts";
import { toShown } from "./tool-context.ts";
import { filesIn, type ItemOutcome, ItemOutcomeSchema, toToolMessage } from "./tool-results.ts";

const ToolCallsSchema = z.array(ToolCallSchema);

const ToolLimitSchema = z.strictObject({
  tool: z.string().min(1).describe("A tool or a pattern"),
  timeoutMs: z.int().positive().max(86_400_000).optional(),
  maxAttempts: z.int().min(1).max(20).optional().describe("Can only lower what the step's `retry` gives"),
});

/** Which calls need approval at a step. */
export const NeedsApprovalSchema = z
  .array(
    z
      .strictObject({
        tool: z.string().min(1).describe("A tool or a pattern"),
        when: ApprovalConditionSchema.optional().describe(
          "CEL over `args`, the arguments of the call: `args.amount > 100`. Left out: each call",
        ),
      })
      .refine(({ when }) => when === undefined || isCondition(when), {
        path: ["when"],
        message: "must be CEL over `args`, such as `args.amount > 100`",
      }),
  )
  .min(1)
  .max(100);

/** How calls are run; `agent.toolLoop` hands it on to its executor. */
export const callInput = {
  mode: z.enum(["parallel", "sequential"]).default("parallel").describe("How the tool calls of one answer are run"),
  toolTimeoutMs: z
    .int()
    .positive()
    .max(86_400_000)
    .default(120_000)
    .describe("How long one call may take; a tool's own time-out can be shorter"),
  toolLimits: z
    .array(ToolLimitSchema)
    .max(100)
    .optional()
    .describe("Time-out and attempts of single tools; the first entry that names the tool counts"),
  maxCalls: z
    .int()
    .positive()
    .max(1_000)
    .optional()
    .describe("How many tool calls of one answer are run; the model gets an error as the result of those beyond it"),
  needsApproval: NeedsApprovalSchema.optional().describe(
    "Calls that a person must approve at this step, beside those whose tool needs it: `[{tool: mail.send, when: '!args.to.endsWith(\"@example.com\")'}]`",
  ),
  maxToolResultChars: z
    .int()
    .min(200)
    .max(1_000_000)
    .default(20_000)
    .describe("How much of one result the model is shown; all of it stays in the record"),
};

const ExecutorInput = z.strictObject({
  toolCalls: ToolCallsSchema.optional().describe("The calls to run; else $.toolCalls"),
  tools: z
    .array(z.string().min(1))
    .optional()
    .describe("What may be called: ids or patterns; else agentConfig's tools"),
  agent: AgentRefSchema,
  ...callInput,
  prepareStep: PrepareStepSchema.optional().describe("As at the model: tools it takes away are not run either"),
  step: StepSchema.describe("Which answer of a loop this is, for `prepareStep`"),
  approved: z
    .union([ReleasedToolCallSchema, z.array(ReleasedToolCallSchema)])
    .optional()
    .describe(
      "Calls that a review before this step has released: `$.review_output.toolCall`. Checked against that review",
    ),
  answered: z
    .array(ToolCallRecordSchema)
    .optional()
    .describe("Calls that the workflow has run by itself, with what they answered: the model gets these, too"),
  onFailure: z
    .enum(["tell", "fail"])
    .default("tell")
    .describe(
      "`fail`: a call that failed or was refused fails the step with TOOL_FAILED, once all of its calls have ended",
    ),
  history: HistorySchema.describe("`none`: the results do not become part of $.messages"),
  allCalls: z
    .int()
    .positive()
    .optional()
    .describe("How many calls all visits of this step make at most, where the step around it counts them"),
  ...reviewerInput,
});
type Context = NodeContext<z.output<typeof ExecutorInput>>;

export const toolExecutorNode = defineNode({
  id: "agent.toolExecutor",
  version: 1,
  title: "Tool executor",
  synonyms: ["tools", "function call", "mcp"],
  docs: [
    "Runs the tool calls a model asked for, each recorded on its own, in parallel or one after the other.",
    "",
    "Only tools of `tools` (else of agentConfig) are run, with the permissions that both the starter and the version of the run have. What fails, is unknown, not allowed or refused by a person is told to the model as that call's result.",
    "A failed call is tried again where that is harmless: never a tool that may act at most once, and only for errors that may pass. After that the model is told.",
    "A tool that needs approval waits for a person, who sees exactly the call; what they edited is what runs. A call in `approved` that no review has released so is an error, REVIEW_CHANGED, and nothing is called. One approval lets one call through: used again, it is asked for again.",
  ].join("\n"),
  category: "agent",
  kind: "tool",
  // Each call carries its tool's own effect; the step itself only gathers them.
  effect: "idempotent",
  reads: ["$.messages", "$.toolCalls", "$.toolResults"],
  input: ExecutorInput,
  output: z.strictObject({ results: z.array(ToolCallRecordSchema), lastTool: z.string().nullable() }),
  ceiling: toolsCeiling,
  async run(context) {
    const toolCalls = readToolCalls(context);
    if (toolCalls.length === 0) return done({ results: [], lastTool: null });
    const left = toolCalls.filter(({ toolCallId }) => findAnswered(context, toolCallId) === undefined);
    if (left.length === 0) return finish(context, []);
    for (const call of left) {
      const approved = findApproved(context, call);
      if (approved !== undefined) await requireReleased(context, call.tool, approved);
    }
    const { maxCalls = left.length } = context.input;
    const items = left.slice(0, maxCalls).map((call) => toItem(call, toolOf(context, call.tool)));
    const concurrency = context.input.mode === "sequential" ? 1 : items.length;
    return { type: "wait", for: "items", request: { items, concurrency } };
  },
  async runItem(context, item) {
    const call = ToolCallSchema.parse(item.input);
    const tool = await requireTool(context, call.tool);
    context.services.tools.check(tool.id, call.arguments, context.principal.tenantId);
    return callOrAsk(context, toCallToApprove(context, call, tool), (released) => runTool(context, call, released));
  },
  async resume(context, signal) {
    if (signal.type === "items") return finish(context, signal.items);
    if (signal.type !== "decision" && signal.type !== "timer")
      throw unexpectedSignal("agent.toolExecutor", signal.type);
    const call = readToolCalls(context).find(({ toolCallId }) => toolCallId === context.node.item);
    if (call === undefined)
      throw new OvenError("UNEXPECTED_SIGNAL", `There is no tool call ${context.node.item}`, { status: 500 });
    if (signal.type === "timer") return goOn(context, call);
    const answer = findAnswer(signal);
    if (answer !== undefined) {
      const asked = await readAsked(context, answer);
      return asked === undefined ? goOn(context, call, answer) : runTool(context, call, asked, answer);
    }
    if (isApproval(signal.action)) {
      const asked = toCallToApprove(context, call, await requireTool(context, call.tool));
      return callReleased(context, asked, signal, (released) => runTool(context, call, released));
    }
    const error = `A person declined this call${signal.reason === null ? "" : `: ${signal.reason}`}`;
    context.event("tool.failed", { toolCallId: call.toolCallId, tool: call.tool, error });
    return itemDone({ arguments: call.arguments, error });
  },
});

/** The call of `approved` that stands for this one. */
function findApproved({ input }: Context, { toolCallId }: ToolCall): ReleasedToolCall | undefined {
  return [input.approved ?? []].flat().find((released) => released.toolCallId === toolCallId);
}

/** What the workflow has run by itself for a call. */
function findAnswered({ input }: Context, id: string): ToolCallRecord | undefined {
  return input.answered?.find(({ toolCallId }) => toolCallId === id);
}

function readToolCalls(context: Context): ToolCall[] {
  if (context.input.toolCalls !== undefined) return context.input.toolCalls;
  const parsed = ToolCallsSchema.safeParse(context.read("$.toolCalls") ?? []);
  if (parsed.success) return parsed.data;
  throw new OvenError(
    "TOOL_CALLS_INVALID",
    `The tool calls cannot be run: ${firstIssue(parsed.error, "$.toolCalls")}`,
    {
      path: "$.toolCalls",
      fix: "Correct the step that writes it, or give `toolCalls` as an input",
    },
  );
}

function toItem(call: ToolCall, tool: ToolInfo | undefined): ItemRequest {
  const effect: Effect = tool?.effect ?? "pure";
  return { key: call.toolCallId, input: call, nodeType: call.tool, effect };
}

/** @throws OvenError TOOL_NOT_OFFERED: unknown, not in this step's list, or beyond what caller or agent may */
async function requireTool(context: Context, id: string): Promise<ToolInfo> {
  const offered = (await offeredTools(context)) ?? [];
  const tool = offered.find((info) => info.id === id);
  if (tool !== undefined) return tool;
  const names = offered.map((info) => info.id).join(", ");
  throw new OvenError("TOOL_NOT_OFFERED", `There is no tool \`${id}\` here`, {
    status: 422,
    fix: names === "" ? "No tool may be called at this step" : `The tools are: ${names}`,
  });
}

function toolOf({ services, principal }: Context, id: string): ToolInfo | undefined {
  return services.tools.get(id, principal.tenantId);
}

/** A call that was waited for, or that asked a person meanwhile. */
async function goOn(context: Context, { tool, ...call }: ToolCall, answer?: ToolAnswer): Promise<NodeResult> {
  const { assignees, dueIn } = context.input;
  return orAskPerson({ assignees, dueAt: toDueAt(dueIn) }, async () => {
    const { toolCallId } = call;
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    try {
      const { arguments: args, result } = await context.services.tools.resume(tool, {
        principal: context.principal,
        signal: context.signal,
        idempotencyKey: context.idempotencyKey(),
        run: toToolRun(context),
        report: (message, data) => context.log("info", message, data),
        ...(answer === undefined ? {} : { answer }),
      });
      context.event("tool.completed", { toolCallId, tool, durationMs: durationMs() });
      return itemDone({ arguments: args, result, ...(isSame(args, call.arguments) ? {} : { edited: true }) });
    } catch (error) {
      if (error instanceof ToolInputNeeded || error instanceof ToolPending) throw error;
      const message = error instanceof Error ? error.message : String(error);
      context.event("tool.failed", { toolCallId, tool, durationMs: durationMs(), error: message });
      throw error;
    }
  });
}

/** What is called instead of what the model asked for, with the review that released it, where one had to. */
type Made = ReleasedCall;

async function runTool(context: Context, call: ToolCall, made: Made, answer?: ToolAnswer): Promise<NodeResult> {
  const { assignees, dueIn } = context.input;
  const asking = { ...made, assignees, dueAt: toDueAt(dueIn) };
  return orAskPerson(asking, () => callTool(context, call, made, answer));
}

async function callTool(
  context: Context,
  call: ToolCall,
  { arguments: args, release }: Made,
  answer: ToolAnswer | undefined,
): Promise<NodeResult> {
  const { toolCallId, tool } = call;
  const edited = !isSame(args, call.arguments);
  context.event("tool.started", { toolCallId, tool, arguments: args });
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  const { toolTimeoutMs, toolLimits = [] } = context.input;
  const { timeoutMs = toolTimeoutMs, maxAttempts } = toolLimits.find((limit) => namesTool([limit.tool], tool)) ?? {};
  let result: Json;
  try {
    const { principal, signal } = context;
    if (context.options?.refuseEffects === true) requireHarmless(tool, toolOf(context, tool));
    result = await context.services.tools.call(tool, args, {
      principal,
      signal,
      idempotencyKey: context.idempotencyKey(),
      timeoutMs,
      run: toToolRun(context),
      report: (message, data) => context.log("info", message, data),
      ...(answer === undefined ? {} : { answer }),
      ...(release === undefined ? {} : { release }),
    });
  } catch (error) {
    if (error instanceof ToolInputNeeded) {
      context.log("info", `${tool} asks a person: ${error.title}`);
      throw error;
    }
    if (error instanceof ToolPending) throw error;
    const message = error instanceof Error ? error.message : String(error);
    context.event("tool.failed", { toolCallId, tool, durationMs: durationMs(), error: message });
    throw maxAttempts !== undefined && context.node.attempt >= maxAttempts ? toFinal(error, message) : error;
  }
  context.event("tool.completed", { toolCallId, tool, durationMs: durationMs() });
  return itemDone({ arguments: args, result, ...(edited ? { edited } : {}) });
}

/** In a run without effects, also what a person has approved is not done. @throws OvenError EFFECT_REFUSED */
function requireHarmless(id: string, tool: ToolInfo | undefined): void {
  if (tool !== undefined && isHarmless(tool.effect)) return;
  throw effectRefused(`The tool ${id}`);
}

/** The same failure, not to be tried again. */
function toFinal(error: unknown, message: string): OvenError {
  const code = isOvenError(error) ? error.code : "NODE_ERROR";
  return new OvenError(code, message, { retryable: false, cause: error });
}

function toCallToApprove(context: Context, call: ToolCall, tool: ToolInfo): CallToApprove {
  const about = { tool: tool.description, reasoning: lastAssistantText(readMessages(context)) };
  return {
    tool,
    arguments: call.arguments,
    about,
    reviewers: context.input,
    approved: findApproved(context, call),
    needsRelease: (args) => asksFirst(tool, args) || asksHere(context.input, tool.id, args),
  };
}

/** Whether this step has people asked about a call, whatever its tool says. */
function asksHere({ needsApproval = [] }: Context["input"], tool: string, args: Json): boolean {
  return needsApproval.some(
    (rule) => namesTool([rule.tool], tool) && (rule.when === undefined || asksAbout(rule.when, args)),
  );
}

/** What a step of the workflow answers may come from anywhere. */
const OF_THE_WORKFLOW: Pick<ToolInfo, "tags"> = { tags: ["outside-content"] };

type Items = Extract<NodeSignal, { type: "items" }>["items"];

/** All calls have a result: tells the model, in the order in which it asked. */
function finish(context: Context, items: Items): NodeResult {
  const toolCalls = readToolCalls(context);
  const outcomes = toolCalls.map((call): { record: ToolCallRecord; edited: boolean } => {
    const answered = findAnswered(context, call.toolCallId);
    if (answered !== undefined) return { record: answered, edited: false };
    const item = items.find(({ key }) => key === call.toolCallId);
    const outcome = toOutcome(call, item);
    const { edited, ...rest } = outcome;
    return {
      record: { toolCallId: call.toolCallId, tool: call.tool, durationMs: item?.durationMs ?? 0, ...rest },
      edited: edited ?? false,
    };
  });
  const results = outcomes.map(({ record }) => record);
  if (context.input.onFailure === "fail") requireSuccess(results);
  const message: Message = toToolMessage(
    outcomes,
    (id, result) => toShown(result, toolOf(context, id) ?? OF_THE_WORKFLOW, context.input.maxToolResultChars),
    (id, result) => (toolOf(context, id)?.source === "mcp" ? filesIn(result) : []),
  );
  const said = context.input.history === "none" ? [] : appendMessages(context, [message]);
  return done(
    { results, lastTool: results.at(-1)?.tool ?? null },
    {
      toolCalls: results,
      patch: [
        ...said,
        { op: "add", path: "/toolResults", value: results },
        { op: "add", path: "/toolCalls", value: [] },
      ],
    },
  );
}

/** @throws OvenError TOOL_FAILED with what the first failed call says */
function requireSuccess(results: readonly ToolCallRecord[]): void {
  const failed = results.filter(({ error }) => error !== undefined);
  const [first] = failed;
  if (first === undefined) return;
  throw new OvenError("TOOL_FAILED", `${first.tool}: ${first.error}`, {
    status: 422,
    fix: "Lead `onError` of the step to what is to happen then, or correct the call.",
    details: { failed: failed.map(({ toolCallId, tool, error = "" }) => ({ toolCallId, tool, error })) },
  });
}

function toOutcome(call: ToolCall, item: Items[number] | undefined): ItemOutcome {
  if (item === undefined)
    return { arguments: call.arguments, error: "This call was not run: there are too many calls in one answer" };
  if (item.status === "completed") {
    const recorded = ItemOutcomeSchema.safeParse(item.output);
    // A call that a crash left open: a person has supplied what the tool answered.
    return recorded.success ? recorded.data : { arguments: call.arguments, result: item.output };
  }
  return { arguments: call.arguments, error: item.error?.message ?? "This call failed" };
}

function itemDone(outcome: ItemOutcome): NodeResult {
  return done({ ...outcome });
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(JsonSchema.parse(one)) === JSON.stringify(JsonSchema.parse(other));
}
