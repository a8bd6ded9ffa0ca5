import {
  type CallToolResult,
  fromJsonSchema,
  type InputRequiredResult,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isOvenError, type JsonObject, type OvenError, type Principal } from "@oven/contract";
import {
  APPS_EXTENSION,
  DECIDE_VIEW_TOOL,
  type McpEnvelope,
  type McpToolDefinition,
  type McpToolSource,
  RUN_VIEW_TOOL,
  TASKS_EXTENSION,
} from "@oven/contract/mcp";
import { toBorderSchema } from "@oven/engine";
import { toOvenError } from "@oven/module-registry";
import { runRetentionMs } from "../retention/retention-config.ts";
import { acceptAll } from "./accept-all.ts";
import { linearValidator, validatorFor } from "./linear-validator.ts";
import { type Answered, type Asked, ReviewQuestions } from "./review-questions.ts";
import { isViewTool, registerViews, VIEW_TOOLS, viewMetaOf } from "./run-apps.ts";
import { RunCalls, type RunMcpDeps } from "./run-calls.ts";
import { RunTasks } from "./run-tasks.ts";

/** What a client sees of a server whose first tool starts runs. */
export interface RunMcpFace {
  name: string;
  title: string;
  instructions: string;
  /** The first one starts a run; `get_run`, `list_runs`, `answer_review` and `cancel_run` follow runs. */
  tools: readonly McpToolDefinition[];
  /** `start` looks at the arguments by itself, and says what is wrong with them. */
  checksInput?: boolean;
  /** The first tool as it is by the time that it answers, where that may be another than was shown; its answers are checked against it. */
  answersAs?(): McpToolDefinition | undefined;
  /** Before each call of its own tools. @throws OvenError that the client gets instead */
  admit?(tool: string): Promise<void>;
  /** The client stays connected: it can subscribe to resources. */
  session?: boolean;
  /** The client speaks revision 2026-07-28, where a call can answer with a task. */
  modern?: boolean;
  /** The client shows views of runs and reviews. */
  views?: boolean;
  /** Tools of other sources, resources and prompts. */
  extend?(server: McpServer, calls: RunCalls, questions: ReviewQuestions): void;
}

/** Starts a run for a call. @returns its id */
export type StartRun = (input: JsonObject, context: ServerContext) => Promise<number>;

/** One server for one request: a tool that starts runs, and those that follow them. */
export function createRunMcpServer(
  face: RunMcpFace,
  principal: Principal,
  deps: RunMcpDeps,
  start: StartRun,
): McpServer {
  const { reviews, signingKey } = deps;
  // A workflow's own tool of such a name is not replaced: its server has no views.
  const views = face.views === true && !face.tools.some(({ name }) => isViewTool(name));
  const extensions = {
    ...(face.modern === true ? { [TASKS_EXTENSION]: {} } : {}),
    ...(views ? { [APPS_EXTENSION]: {} } : {}),
  };
  const questions = new ReviewQuestions(principal, { reviews, signingKey }, () =>
    server.server.getClientCapabilities(),
  );
  const server: McpServer = new McpServer(
    { name: face.name, title: face.title, version: "1.0.0" },
    {
      instructions: face.instructions,
      // Clients that ask for a list where there is nothing get an empty one.
      capabilities: {
        logging: {},
        prompts: {},
        resources: face.session === true ? { subscribe: true } : {},
        ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
      },
      jsonSchemaValidator: linearValidator,
      requestState: { verify: questions.verify },
    },
  );
  const calls = new RunCalls(principal, deps);
  const tasks = new RunTasks({
    principal,
    calls,
    questions,
    signingKey,
    retentionMs: () => runRetentionMs(deps.services.config, principal.tenantId),
    admit: async (tool) => face.admit?.(tool),
    toResult: (envelope) => toWorkResult(calls, envelope),
  });
  const tools = views ? [...face.tools, ...VIEW_TOOLS] : face.tools;
  for (const [index, tool] of tools.entries()) {
    const { kind } = sourceOf(tool, index);
    if (kind !== "workflow" && kind !== "runs") continue;
    const meta = { ...(views ? viewMetaOf(tool.name, kind) : {}), ...worstCaseMeta(tool) };
    const admitted =
      (handler: ToolHandler): ToolHandler =>
      async (input, context) => {
        await face.admit?.(tool.name);
        return handler(input, context);
      };
    if (kind === "workflow") {
      const work: EnvelopeCall = async (input, context) => {
        const id = await start(input, context);
        calls.began(context, id);
        return calls.follow(id, context);
      };
      const asking = withQuestions(work, calls, questions);
      const handler: ToolHandler = async (input, context) => {
        if (!tasks.isWanted(context)) return asking(input, context);
        try {
          const id = await start(input, context);
          calls.began(context, id);
          return await tasks.created(id);
        } finally {
          await calls.endAbandoned(context);
        }
      };
      registerTool(server, tool, admitted(handler), {
        input: face.checksInput === true ? acceptAll : validatorFor(() => tool.inputSchema),
        output: validatorFor(() => face.answersAs?.()?.outputSchema ?? tool.outputSchema),
        meta,
      });
    } else registerTool(server, tool, admitted(followingCall(tool.name, calls)), { meta });
  }
  if (views) registerViews(server);
  if (face.modern === true) tasks.register(server);
  face.extend?.(server, calls, questions);
  return server;
}

type EnvelopeCall = (input: JsonObject, context: ServerContext) => Promise<McpEnvelope>;
type Answer = CallToolResult | InputRequiredResult;
type ToolHandler = (input: JsonObject, context: ServerContext) => Promise<Answer>;
type JsonDocument = Parameters<typeof fromJsonSchema>[0];
type Validator = NonNullable<Parameters<typeof fromJsonSchema>[1]>;

interface MoreOfTool {
  input?: Validator;
  output?: Validator;
  /** What clients of an extension are shown with it. */
  meta?: JsonObject | undefined;
}

/**
 * Both schemas are enforced: arguments that do not fit are refused, and so is an answer. What clients are shown of the arguments is what
 * they can hand on to models of any provider.
 */
export function registerTool(
  server: McpServer,
  { name, title, description, inputSchema, outputSchema, annotations = {} }: McpToolDefinition,
  handler: ToolHandler,
  { input = validatorFor(() => inputSchema), output = validatorFor(() => outputSchema), meta }: MoreOfTool = {},
): void {
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: fromJsonSchema<JsonObject>(toBorderSchema(inputSchema, "mcp").schema as JsonDocument, input), // cast: a JSON Schema document; zod's JSON type and the SDK's differ in name only
      outputSchema: fromJsonSchema<JsonObject>(
        toBorderSchema(outputSchema, "mcp", "answer").schema as JsonDocument,
        output,
      ), // cast: as above
      annotations: Object.fromEntries(Object.entries(annotations).filter(([, hint]) => hint !== undefined)),
      ...(meta === undefined || Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    },
    (given: JsonObject, context: ServerContext) => answerErrors(() => handler(given, context)),
  );
}

/** Among the metadata of a tool that starts runs: what one needs at most. */
const WORST_CASE_IN_META = "oven/worstCase";

function worstCaseMeta({ worstCase }: McpToolDefinition): JsonObject {
  return worstCase === undefined ? {} : { [WORST_CASE_IN_META]: { ...worstCase } };
}

/** What a tool of a server does; one that an earlier release generated is known by its place and name. */
export function sourceOf({ source }: McpToolDefinition, index: number): McpToolSource {
  return source ?? { kind: index === 0 ? "workflow" : "runs" };
}

function followingCall(tool: string, calls: RunCalls): ToolHandler {
  switch (tool) {
    case RUN_VIEW_TOOL:
      return async (input) => toResult(await calls.view(input));
    case "list_runs":
      return async (input) => toResult(await calls.list(input));
    case "answer_review":
      return answeringReview(calls);
    // A person presses a button in the view, as in a form of the client.
    case DECIDE_VIEW_TOOL:
      return asEnvelope(calls, (input, context) => calls.answerReview(input, context));
    case "cancel_run":
      return asEnvelope(calls, (input, context) => calls.cancel(input, context));
    default:
      return asEnvelope(calls, (input, context) => calls.get(input, context));
  }
}

/** The refusal of what the client has asked for itself carries what is pending, with the page where that is decided. */
function answeringReview(calls: RunCalls): ToolHandler {
  return async (input, context) => {
    const own = await calls.ownReview(input);
    if (own === undefined) return toEnvelopeResult(calls, await calls.answerReview(input, context));
    const { content, ...result } = toEnvelopeResult(calls, await calls.follow(own.executionId, context, 0));
    return { ...result, ...toErrorResult(own.refusal, content) };
  };
}

/** What became of the run is what was asked for: a run that failed or was cancelled is no error here. */
function asEnvelope(calls: RunCalls, work: EnvelopeCall): ToolHandler {
  return async (input, context) => toEnvelopeResult(calls, await work(input, context));
}

/**
 * Asks the client's user when the run waits for a review that this client may decide. An answer continues that run and starts none;
 * without one, the review stays in the inbox and the call answers with what is pending. A client that ends the call may end the run.
 */
export function withQuestions(work: EnvelopeCall, calls: RunCalls, questions: ReviewQuestions): ToolHandler {
  return async (input, context) => {
    const { mcpReq } = context;
    const askAbout = async (envelope: McpEnvelope): Promise<Answer> => {
      const question = await questions.question(envelope, context, calls.reportedSeq(mcpReq));
      if (question === undefined) return toWorkResult(calls, envelope);
      if (questions.callsAgain(context)) return questions.toInputRequired(question, envelope, context);
      return goOn(question.asked, await questions.ask(question, context));
    };
    const goOn = async ({ executionId }: Asked, answer: Answered | undefined): Promise<Answer> => {
      const asItIs = () => calls.get({ id: executionId }, context);
      if (answer === undefined) return toEnvelopeResult(calls, await asItIs());
      if ("opened" in answer) {
        await questions.untilDecided(answer.opened, mcpReq.signal);
        return toWorkResult(calls, await calls.follow(executionId, context));
      }
      let decided: McpEnvelope;
      try {
        decided = await calls.answerReview(answer.decision, context);
      } catch (error) {
        if (!isOvenError(error)) throw error;
        const { content, ...result } = toEnvelopeResult(calls, await asItIs());
        return { ...result, ...toErrorResult(error, content) };
      }
      return askAbout(decided);
    };
    try {
      const answered = questions.read(context);
      if (answered === undefined) return await askAbout(await work(input, context));
      calls.began(context, answered.asked.executionId);
      calls.resume(mcpReq, answered.asked.seq);
      return await goOn(answered.asked, answered.answer);
    } finally {
      await calls.endAbandoned(context);
    }
  };
}

/** A failed or cancelled run is an error for the caller of the tool. */
function toWorkResult(calls: RunCalls, envelope: McpEnvelope): CallToolResult {
  const failed = envelope.status === "failed" || envelope.status === "cancelled";
  return { ...toEnvelopeResult(calls, envelope), ...(failed ? { isError: true } : {}) };
}

function toEnvelopeResult(calls: RunCalls, envelope: McpEnvelope): CallToolResult {
  const { content, ...result } = toResult(envelope);
  return { ...result, content: [...content, ...calls.linksIn(envelope)] };
}

/** A JSON value as the answer of an MCP tool, as text and as structured content. */
export function toResult(value: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value as JsonObject, // cast: what schemas describe is JSON
  };
}

/** Whatever was refused is an error that the model can read. */
async function answerErrors(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const known = toOvenError(error);
    if (!isOvenError(error) && known.code === "INTERNAL") console.error(error);
    return toErrorResult(known);
  }
}

function toErrorResult(error: OvenError, more: CallToolResult["content"] = []): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(error.toBody()) }, ...more] };
}

/** Instructions for clients, in addition to the tools' descriptions. */
export function runInstructions(tool: string, name: string): string {
  return `Call ${tool} to run the workflow "${name}". When \`status\` is "paused", a person must decide: show \`pending\` to the user with its \`url\`, where it is decided, and come back with get_run. answer_review sends what the user decides: a request for input (\`actions\`: submit), or a review of a run that another person has started; of this person's own runs where the installation allows it.`;
}
