import { type Json, type JsonObject, notFound, OvenError, type Principal, toActor } from "@oven/contract";
import type { SpokenMessage } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";
import type { DraftTurn, Workflow } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, asc, eq, isNull } from "@oven/db/drizzle";
import { strictKeys } from "../executions/payload-keys.ts";
import type { RunKind } from "../runtime/run-kinds.ts";

/** An earlier turn: what was said, and what its run answered; null: it has no answer. */
export interface SpokenTurn {
  message: string;
  output: Json | null;
}

/** What turns of a test conversation are made of; the module that knows agents brings it. */
export type Rehearse = (
  principal: Principal,
  turn: { workflowId: number; agent: DraftTurn["agent"]; message: string; before: readonly SpokenTurn[] },
) => Promise<{ agent: RunAgent | null; messages: SpokenMessage[] }>;

export interface PreparedTurn {
  input: JsonObject;
  agent: RunAgent | null;
  /** Below zero; `own`: a new conversation, named after the run. */
  sessionId: number | "own";
}

/** Conversations with the drafts of one kind of workflow. Their turns are runs; nothing else is written down. */
export class DraftTurns {
  readonly #db: Database;
  readonly #kind: RunKind;
  readonly #rehearse: Rehearse | undefined;

  constructor(db: Database, kind: RunKind, rehearse: Rehearse | undefined) {
    this.#db = db;
    this.#kind = kind;
    this.#rehearse = rehearse;
  }

  /**
   * The input of a turn's run: the conversation in the form that an agent's workflow gets.
   * @throws OvenError INVALID_REQUEST for workflows without conversations, INVALID_INPUT where the payload takes no message, NOT_FOUND
   */
  async prepare(
    principal: Principal,
    workflow: Workflow,
    definition: JsonObject,
    input: JsonObject,
    { message, sessionId, agent: named }: DraftTurn,
  ): Promise<PreparedTurn> {
    if (this.#rehearse === undefined)
      throw new OvenError("INVALID_REQUEST", `A ${this.#kind.kind.title} is not talked to`, {
        path: "$.conversation",
        fix: "Run it with an input.",
      });
    const keys = strictKeys(definition);
    if (keys !== undefined && !keys.includes("message"))
      throw new OvenError("INVALID_INPUT", `The payload of ${workflow.name} takes no \`message\``, {
        path: "$.conversation.message",
        fix: "Add `message`, a text, to its payload schema; and `messages` to hand on what was said before.",
      });
    const before = sessionId === undefined ? [] : await this.#before(principal, workflow, sessionId);
    const { agent, messages } = await this.#rehearse(principal, {
      workflowId: workflow.id,
      agent: named,
      message,
      before,
    });
    const given: JsonObject = { ...input, message, messages: messages.map(({ role, content }) => ({ role, content })) };
    return {
      input:
        keys === undefined ? given : Object.fromEntries(Object.entries(given).filter(([name]) => keys.includes(name))),
      agent: agent === null ? null : { ...agent, sessionId: sessionId ?? null },
      sessionId: sessionId ?? "own",
    };
  }

  /** Its turns in order; a retried turn is shown by its newer run. @throws OvenError NOT_FOUND, also for those of others */
  async #before(principal: Principal, workflow: Workflow, sessionId: number): Promise<SpokenTurn[]> {
    const { executions } = this.#kind.tables;
    const { id, input, output, status, retryOf, triggeredBy } = executions;
    const rows = await this.#db.orm
      .select({ id, input, output, status, retryOf, triggeredBy })
      .from(executions)
      .where(
        and(
          eq(executions.tenantId, principal.tenantId),
          eq(executions.workflowId, workflow.id),
          eq(executions.sessionId, sessionId),
          isNull(executions.parentId),
        ),
      )
      .orderBy(asc(id));
    const me = toActor(principal);
    const owner = rows[0]?.triggeredBy;
    if (owner === undefined || owner.kind !== me.kind || owner.id !== me.id)
      throw notFound("test conversation", sessionId);
    const again = new Set(rows.map((row) => row.retryOf));
    return rows
      .filter((row) => !again.has(row.id))
      .map((row) => ({ message: messageOf(row.input), output: row.status === "completed" ? row.output : null }));
  }
}

function messageOf(input: Json): string {
  const message = typeof input === "object" && input !== null && !Array.isArray(input) ? input.message : undefined;
  return typeof message === "string" ? message : "";
}
