import {
  type CallToolResult,
  fromJsonSchema,
  McpServer,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import {
  type Actor,
  isGranted,
  isOvenError,
  type JsonObject,
  type McpEnvelope,
  type McpServer as McpServerRow,
  notFound,
  type Principal,
  type RunEvent,
  toActor,
} from "@oven/contract";
import { requirePermission, toOvenError } from "@oven/module-registry";
import type { RunService } from "../executions/run-service.ts";
import type { ReviewService } from "../reviews/review-service.ts";
import { acceptAll } from "./accept-all.ts";
import { toEnvelope } from "./envelope.ts";
import { linearValidator } from "./linear-validator.ts";
import { AnswerReviewSchema, CancelRunSchema, GetRunSchema } from "./tool-definitions.ts";

export interface RunMcpDeps {
  runs: RunService;
  reviews: ReviewService;
  publicUrl: string;
  /** Whether the client began this run, however it is recorded. Absent: the run names it. */
  isOwn?(executionId: number): Promise<boolean>;
}

/** What a client sees of a server whose first tool starts runs. */
export interface RunMcpFace {
  name: string;
  title: string;
  instructions: string;
  /** The first one starts a run; `get_run`, `answer_review` and `cancel_run` follow runs. */
  tools: McpServerRow["toolDefinitions"];
  /** `start` looks at the arguments by itself, and says what is wrong with them. */
  checksInput?: boolean;
}

/** Starts a run for a call. @returns its id */
export type StartRun = (input: JsonObject, context: ServerContext) => Promise<number>;

/** Clients give up after 60 s; a run that takes longer, or waits for a person, answers with its handle. */
const WAIT_MS = 20_000;

/** One server for one request: a tool that starts runs, and three tools that follow them. */
export function createRunMcpServer(
  face: RunMcpFace,
  principal: Principal,
  deps: RunMcpDeps,
  start: StartRun,
): McpServer {
  const server = new McpServer(
    { name: face.name, title: face.title, version: "1.0.0" },
    { instructions: face.instructions, jsonSchemaValidator: linearValidator },
  );
  const calls = new RunCalls(principal, deps, start);
  for (const [index, { name, title, description, inputSchema, outputSchema }] of face.tools.entries()) {
    const handler = calls.handlerOf(name);
    const validator = index === 0 && face.checksInput === true ? acceptAll : linearValidator;
    server.registerTool(
      name,
      {
        title,
        description,
        // cast: a JSON Schema document; zod's JSON type and the SDK's differ in name only
        inputSchema: fromJsonSchema<JsonObject>(inputSchema as Parameters<typeof fromJsonSchema>[0], validator),
        outputSchema: fromJsonSchema<McpEnvelope>(
          outputSchema as Parameters<typeof fromJsonSchema>[0],
          linearValidator,
        ),
        annotations: annotationsOf(name),
      },
      (input: JsonObject, context: ServerContext) => asResult(() => handler(input, context)),
    );
  }
  return server;
}

type Handler = (input: JsonObject, context: ServerContext) => Promise<McpEnvelope>;

class RunCalls {
  readonly #principal: Principal;
  readonly #deps: RunMcpDeps;
  readonly #start: StartRun;

  constructor(principal: Principal, deps: RunMcpDeps, start: StartRun) {
    this.#principal = principal;
    this.#deps = deps;
    this.#start = start;
  }

  handlerOf(tool: string): Handler {
    switch (tool) {
      case "get_run":
        return (input, context) => this.#getRun(input, context);
      case "answer_review":
        return (input, context) => this.#answerReview(input, context);
      case "cancel_run":
        return (input, context) => this.#cancelRun(input, context);
      default:
        return async (input, context) => this.#follow(await this.#start(input, context), WAIT_MS, context);
    }
  }

  async #getRun(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    const { id, wait } = GetRunSchema.parse(input);
    await this.#requireOwn(id, "executions.read");
    return this.#follow(id, wait * 1_000, context);
  }

  async #answerReview(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    requirePermission(this.#principal, "reviews.decide");
    const { reviewId, ...decision } = AnswerReviewSchema.parse(input);
    const { data, reason, ...rest } = decision;
    const decided = await this.#deps.reviews.decide(this.#principal, reviewId, {
      ...rest,
      ...(data === undefined ? {} : { data }),
      ...(reason === undefined ? {} : { reason }),
    });
    return this.#follow(decided.executionId, WAIT_MS, context);
  }

  async #cancelRun(input: JsonObject, context: ServerContext): Promise<McpEnvelope> {
    const { id, reason } = CancelRunSchema.parse(input);
    await this.#requireOwn(id, "executions.cancel");
    await this.#deps.runs.cancel(this.#principal, id, reason ?? null, context.mcpReq.signal);
    return this.#envelope(id);
  }

  /** A client sees the runs it started, and others only with the permission. */
  async #requireOwn(id: number, permission: string): Promise<void> {
    const { triggeredBy } = await this.#deps.runs.reader.row(this.#principal, id);
    if (isGranted(this.#principal.permissions, permission)) return;
    const isOwn = (await this.#deps.isOwn?.(id)) ?? isSameActor(triggeredBy, toActor(this.#principal));
    if (!isOwn) throw notFound("execution", id);
  }

  /** Waits for the end or a pause, telling the client of each step; then answers whatever there is. */
  async #follow(id: number, milliseconds: number, { mcpReq }: ServerContext): Promise<McpEnvelope> {
    const token = mcpReq._meta?.progressToken;
    let progress = 0;
    const onEvents = async (events: readonly RunEvent[]) => {
      for (const message of events.flatMap(toProgress)) {
        progress++;
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: token ?? 0, progress, message },
        });
      }
    };
    await this.#deps.runs.follow(this.#principal, id, {
      milliseconds,
      signal: mcpReq.signal,
      ...(token === undefined ? {} : { onEvents }),
    });
    return this.#envelope(id);
  }

  async #envelope(id: number): Promise<McpEnvelope> {
    const [run, open] = await Promise.all([
      this.#deps.runs.reader.summary(this.#principal, id),
      this.#deps.reviews.open(this.#principal, id),
    ]);
    return toEnvelope(run, open, this.#deps.publicUrl);
  }
}

/** A failed or cancelled run is an error to the client; so is whatever was refused. */
async function asResult(work: () => Promise<McpEnvelope>): Promise<CallToolResult> {
  try {
    const envelope = await work();
    const failed = envelope.status === "failed" || envelope.status === "cancelled";
    return {
      content: [{ type: "text", text: JSON.stringify(envelope) }],
      structuredContent: envelope as unknown as JsonObject, // cast: the envelope's schema is JSON
      ...(failed ? { isError: true } : {}),
    };
  } catch (error) {
    const known = toOvenError(error);
    if (!isOvenError(error) && known.code === "INTERNAL") console.error(error);
    const body = known.toBody();
    return { isError: true, content: [{ type: "text", text: JSON.stringify(body) }] };
  }
}

function toProgress({ event, nodeId, nodeType }: RunEvent): string[] {
  if (typeof nodeId !== "string") return [];
  if (event === "node.started") return [`${nodeId} (${String(nodeType)}) started`];
  if (event === "node.completed") return [`${nodeId} completed`];
  return event === "node.paused" ? [`${nodeId} waits for a person`] : [];
}

function annotationsOf(tool: string): ToolAnnotations {
  if (tool === "get_run") return { readOnlyHint: true, openWorldHint: false };
  if (tool === "cancel_run") return { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
  return { readOnlyHint: false };
}

function isSameActor(one: Actor, other: Actor): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** For clients, beside the tools' own descriptions. */
export function runInstructions(tool: string, name: string): string {
  return `Call ${tool} to run the workflow "${name}". When \`status\` is "paused", a person must decide: show \`pending\` to the user, answer with answer_review, or come back later with get_run.`;
}
