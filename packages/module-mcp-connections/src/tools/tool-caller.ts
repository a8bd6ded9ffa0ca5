import { isOvenError, type Json, type JsonObject, OvenError } from "@oven/contract";
import type { McpToolResult } from "@oven/contract/mcp";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { countCall, type ToolCallOptions, whyNotCalled } from "@oven/module-agent-core";
import type { ServiceMap } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import type { ServerSession, ToolCallAnswer } from "../client/server-session.ts";
import { isSessionLost } from "../client/session-error.ts";
import type { ConnectionRow, ToolRow } from "../connections/connection-row.ts";
import type { Discovery } from "../connections/discovery.ts";
import type { Servers } from "../connections/servers.ts";
import type { OpenQuestions, QuestionState } from "../elicitation/open-questions.ts";
import { type CallAnswers, toCallAnswers, toForm, toState, withAnswer } from "../elicitation/questions.ts";
import { mcpConnections, mcpConnectionTools } from "../schema.ts";
import { sessionOwner } from "../sessions/session-owner.ts";
import { toToolResult } from "./to-tool-result.ts";

/** A listing that is older is asked for again before a call, in the same conversation. */
const FRESH_MS = 10_000;

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "blobs" | "rates" | "secrets" | "workflowPlatform">;
  servers: Servers;
  discovery: Discovery;
  questions: OpenQuestions;
  freshMs?: number;
}

/** Codes that say something about the connection, not the call. */
const BREAKING = new Set([
  "MCP_CONNECTION_FAILED",
  "MCP_CONNECTION_UNAUTHORIZED",
  "MCP_CALL_LOST",
  "OUTBOUND_UNREACHABLE",
]);

interface Found {
  tool: ToolRow;
  connection: ConnectionRow;
}

/** Calls tools of outside servers: only as they were approved, within their connection's limits. */
export class ToolCaller {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws OvenError MCP_TOOL_NOT_APPROVED, MCP_CALL_LIMIT, MCP_TOOL_FAILED, MCP_CONNECTION_*, TOOL_OUTPUT_INVALID, TOOL_TIMEOUT,
   * OUTBOUND_*; ToolInputNeeded where a person is asked
   */
  async call(id: string, args: JsonObject, options: ToolCallOptions): Promise<Json> {
    const { tenantId } = options.principal;
    const found = await this.#find(id, tenantId);
    requireApproved(id, found);
    const { db, services } = this.#deps;
    const over = await countCall({ db, rates: services.rates }, "mcp_connections", found.connection);
    if (over !== undefined) throw new OvenError("MCP_CALL_LIMIT", over.message, over.options);
    const state = await this.#answered(id, found, options);
    const answers = state === undefined ? {} : toCallAnswers(state);
    if (answers === undefined) throw toForm(id, nameOf(found), state ?? { round: 0, taken: [] });
    try {
      return await this.#ask(id, found, args, options, answers, state);
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (error instanceof OvenError && BREAKING.has(error.code))
        await this.#deps.discovery.failed(found.connection, error);
      throw error;
    }
  }

  async #ask(
    id: string,
    found: Found,
    args: JsonObject,
    options: ToolCallOptions,
    answers: CallAnswers,
    state: QuestionState | undefined,
  ): Promise<Json> {
    const { servers, services } = this.#deps;
    const { signal, report, principal, run, outside } = options;
    const owner = await sessionOwner(services.workflowPlatform, run, principal);
    const lease = async (fresh: boolean) => {
      const leased = await servers.lease(found.connection, owner, signal, { fresh, outside });
      if (leased.isNew) report?.(`${nameOf(found)}: a session was begun`);
      return leased;
    };
    let session = await lease(false);
    try {
      let answer: ToolCallAnswer;
      let tool: NonNullable<ToolRow["approved"]>;
      try {
        tool = await this.#verified(id, found, session);
        answer = await this.#send(id, tool, session, args, options, answers);
      } catch (error) {
        // The server did not take the call: it no longer knows the session, or speaks another version by now.
        if (!isSessionLost(error)) throw error;
        await session.discard();
        session = await lease(true);
        tool = await this.#verified(id, found, session);
        answer = await this.#send(id, tool, session, args, options, answers);
      }
      if (answer.type !== "result") return await this.#pause(id, found, toState(id, answer, state), options);
      if (run !== undefined) await this.#deps.questions.forget(run, principal.tenantId);
      const result = await toToolResult(id, tool, answer.result, session, this.#keeper(options));
      return services.secrets.redact(principal.tenantId, toJson(result));
    } catch (error) {
      // What became of a session whose connection failed is not known.
      if (isOvenError(error) && BREAKING.has(error.code)) await session.discard();
      throw isOvenError(error) && error.uncertain && found.tool.effect !== "at-most-once" ? repeatable(error) : error;
    } finally {
      await session.close();
    }
  }

  async #send(
    id: string,
    tool: NonNullable<ToolRow["approved"]>,
    session: ServerSession,
    args: JsonObject,
    { signal, report, outside = {} }: ToolCallOptions,
    answers: CallAnswers,
  ): Promise<ToolCallAnswer> {
    return session.callTool({
      tool,
      arguments: args,
      signal,
      ...outside,
      ...answers,
      progress: (progress, total, message) =>
        report?.(`${id}: ${message ?? "progress"}`, { progress, ...(total === undefined ? {} : { total }) }),
      refused: (method) => report?.(`${id}: the server asked for ${method}, and was refused`),
    });
  }

  async #pause(id: string, found: Found, state: QuestionState, { run, principal }: ToolCallOptions): Promise<never> {
    const form = toForm(id, nameOf(found), state);
    if (run === undefined)
      throw new OvenError("MCP_TOOL_FAILED", `${id} asks a person: ${String(form.about.question)}`, {
        status: 422,
        fix: "Call it in a run: the question comes to the inbox there.",
      });
    await this.#deps.questions.keep(run, principal.tenantId, found.connection.id, state);
    throw form;
  }

  async #answered(
    id: string,
    found: Found,
    { run, answer, principal }: ToolCallOptions,
  ): Promise<QuestionState | undefined> {
    if (run === undefined || answer === undefined) return undefined;
    const { tenantId } = principal;
    const open = await this.#deps.questions.find(run, tenantId);
    if (open === undefined)
      throw new OvenError("MCP_TOOL_FAILED", `${id} has no open question in this run`, {
        status: 409,
        fix: "Run the step again.",
      });
    const state = withAnswer(open, answer);
    // Kept before the server is told: whoever takes the run over after a crash sends the same answers.
    await this.#deps.questions.keep(run, tenantId, found.connection.id, state);
    return state;
  }

  /** The tool as it was approved, after a look at what the server lists now. */
  async #verified(id: string, found: Found, session: ServerSession): Promise<NonNullable<ToolRow["approved"]>> {
    const { listedAt } = found.connection;
    const { freshMs = FRESH_MS, discovery } = this.#deps;
    if (listedAt !== null && Date.now() - listedAt.getTime() < freshMs) return requireApproved(id, found);
    await discovery.list(found.connection, session);
    return requireApproved(id, await this.#find(id, found.tool.tenantId));
  }

  #keeper({ run, principal }: ToolCallOptions) {
    const { blobs } = this.#deps.services;
    const { executionId, nodeId, visit, item } = run ?? NO_RUN;
    const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
    return async (mediaType: string, bytes: Uint8Array, summary: string): Promise<JsonObject> => ({
      ...(await blobs.write(position, mediaType, bytes, summary.slice(0, 200))),
    });
  }

  async #find(id: string, tenantId: number): Promise<Found> {
    const [found] = await this.#deps.db.system.orm
      .select({ tool: mcpConnectionTools, connection: mcpConnections })
      .from(mcpConnectionTools)
      .innerJoin(mcpConnections, eq(mcpConnections.id, mcpConnectionTools.connectionId))
      .where(and(eq(mcpConnectionTools.toolId, id), eq(mcpConnectionTools.tenantId, tenantId)));
    if (found !== undefined) return found;
    throw new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
      status: 422,
      fix: "See the list of tools at /api/tools",
    });
  }
}

/** Of a tool that may be called again: no person needs to say what happened. */
function repeatable({ code, message, status, fix, cause }: OvenError): OvenError {
  return new OvenError(code, message, { status, retryable: true, cause, ...(fix === undefined ? {} : { fix }) });
}

function nameOf({ connection }: Found): string {
  return connection.title ?? connection.name;
}

function requireApproved(id: string, { tool, connection }: Found): NonNullable<ToolRow["approved"]> {
  const why = whyNotCalled(connection.enabled, tool, "its server");
  if (why === undefined && tool.approved !== null) return tool.approved;
  throw new OvenError("MCP_TOOL_NOT_APPROVED", `${id} is not called: ${why}`, {
    status: 409,
    fix: `Somebody who may approve tools finds it at /mcp-connections/${connection.id}/show.`,
  });
}

function toJson(result: McpToolResult): JsonObject {
  return { ...result };
}
