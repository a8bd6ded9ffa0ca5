import { type JsonObject, type ListParams, notFound, OvenError, type Principal, toActor } from "@oven/contract";
import type { ChatSession, ChatTargetKind, NewChatSession, UpdateChatSession } from "@oven/contract/agent";
import type { ModelSettings } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, desc, eq, isNull, type SQL, sql } from "@oven/db/drizzle";
import { listRows, requirePermission, type ServiceMap } from "@oven/module-registry";
import { chatSessions } from "../tables/chat-sessions.table.ts";
import type { TargetService } from "../targets/target-service.ts";

export type ChatSessionRow = typeof chatSessions.$inferSelect;

const TITLE_LENGTH = 80;

/** Chats of one person each: nobody else sees them. */
export class ChatSessionService {
  readonly #db: Database;
  readonly #services: ServiceMap;
  readonly #targets: TargetService;

  constructor(deps: { db: Database; services: ServiceMap; targets: TargetService }) {
    this.#db = deps.db;
    this.#services = deps.services;
    this.#targets = deps.targets;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: ChatSession[]; total: number }> {
    const { id, title, targetKind, targetId, targetName, createdAt, updatedAt, tenantId } = chatSessions;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: chatSessions,
      fields: { id, title, targetKind, targetId, createdAt, updatedAt },
      search: [title, targetName],
      tenant: tenantId,
      where: ownedBy(principal),
    });
    return { rows: rows.map(toSession), total };
  }

  /** Those with this target whose runs get this input besides, the newest first; at most a hundred. */
  async about(
    principal: Principal,
    { kind, id }: { kind: ChatTargetKind; id: number },
    input: JsonObject,
  ): Promise<ChatSession[]> {
    const rows = await this.#db.orm
      .select()
      .from(chatSessions)
      .where(
        and(
          eq(chatSessions.tenantId, principal.tenantId),
          ownedBy(principal),
          eq(chatSessions.targetKind, kind),
          eq(chatSessions.targetId, id),
          sql`${chatSessions.mapping}::jsonb -> 'input' @> ${JSON.stringify(input)}::jsonb`,
        ),
      )
      .orderBy(desc(chatSessions.updatedAt))
      .limit(100);
    return rows.map(toSession);
  }

  /** @throws OvenError NOT_FOUND, also for those of others */
  async get(principal: Principal, id: number): Promise<ChatSessionRow> {
    const [row] = await this.#db.orm
      .select()
      .from(chatSessions)
      .where(and(eq(chatSessions.id, id), eq(chatSessions.tenantId, principal.tenantId), ownedBy(principal)));
    if (row === undefined) throw notFound("chat", id);
    return row;
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN, AGENT_DISABLED and WORKFLOW_DISABLED 409, INVALID_INPUT where a workflow cannot be talked to so */
  async create(principal: Principal, body: NewChatSession): Promise<ChatSession> {
    const { title = null, parameters, modelSettings, mapping: chosen } = body;
    requireAuthor(principal, modelSettings);
    const target = await this.#targets.get(principal, body.target.kind, String(body.target.id), chosen);
    if (target.misfit !== null)
      throw new OvenError("INVALID_INPUT", `${target.name} cannot be talked to as it is`, {
        path: "$.mapping",
        fix: target.misfit,
      });
    const { kind, id, name, mapping } = target;
    if (kind !== "agent" && mapping !== null) await this.#tryInput(principal, kind, id, mapping.message, mapping.input);
    const agentSessionId = kind === "agent" ? await this.#services.agents.beginSession(principal, id, title) : null;
    const [row] = await this.#db.orm
      .insert(chatSessions)
      .values({
        tenantId: principal.tenantId,
        owner: ownerOf(principal),
        title,
        targetKind: kind,
        targetId: id,
        targetName: name,
        agentSessionId,
        parameters,
        modelSettings,
        mapping,
      })
      .returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return toSession(row);
  }

  /** What is left out stays. @throws OvenError NOT_FOUND, FORBIDDEN for settings of models by who may not change the agent */
  async update(principal: Principal, id: number, body: UpdateChatSession): Promise<ChatSession> {
    const now = await this.get(principal, id);
    const { title = now.title, parameters = now.parameters, modelSettings = now.modelSettings } = body;
    requireAuthor(principal, body.modelSettings ?? {});
    const [row] = await this.#db.orm
      .update(chatSessions)
      .set({ title, parameters, modelSettings })
      .where(eq(chatSessions.id, id))
      .returning();
    if (row === undefined) throw notFound("chat", id);
    const { agentSessionId } = row;
    if (agentSessionId !== null && title !== null)
      await this.#services.agents.renameSession(principal, agentSessionId, title);
    return toSession(row);
  }

  /** Its runs stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    const { agentSessionId } = await this.get(principal, id);
    await this.#db.orm.delete(chatSessions).where(eq(chatSessions.id, id));
    if (agentSessionId !== null) await this.#services.agents.deleteSession(principal, agentSessionId);
  }

  /** Something was said: the chat is the newest, and has a title from now on. */
  async spoken(principal: Principal, { id, title, agentSessionId }: ChatSessionRow, message: string): Promise<void> {
    await this.#db.orm.update(chatSessions).set({ updatedAt: sql`now()` }).where(eq(chatSessions.id, id));
    if (title !== null) return;
    const words = toTitle(message);
    await this.#db.orm
      .update(chatSessions)
      .set({ title: words })
      .where(and(eq(chatSessions.id, id), isNull(chatSessions.title)));
    if (agentSessionId !== null) await this.#services.agents.renameSession(principal, agentSessionId, words);
  }

  /** Nothing of what was said to it is left. @param db the one that sees every tenant */
  async forgetAgent(db: Database, tenantId: number, agentId: number): Promise<void> {
    await db.orm
      .delete(chatSessions)
      .where(
        and(
          eq(chatSessions.tenantId, tenantId),
          eq(chatSessions.targetKind, "agent"),
          eq(chatSessions.targetId, agentId),
        ),
      );
  }

  /** A chat that could never start a run is refused before anything is said. */
  async #tryInput(
    principal: Principal,
    kind: "workflow" | "agent-workflow",
    id: number,
    field: string,
    input: JsonObject,
  ): Promise<void> {
    const { runs } = this.#services.workflowPlatform.face(kind);
    await runs.requireStartable(principal, { workflow: String(id), input: { ...input, [field]: "Hello" } });
  }
}

/** The first line of what was said, cut where words end. */
function toTitle(message: string): string {
  const line = message.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line.length <= TITLE_LENGTH) return line;
  const cut = line.slice(0, TITLE_LENGTH - 1);
  const end = cut.lastIndexOf(" ");
  return `${end > TITLE_LENGTH / 2 ? cut.slice(0, end) : cut}…`;
}

/** Whoever talks to an agent gets it as its author made it. @throws OvenError FORBIDDEN */
function requireAuthor(principal: Principal, modelSettings: ModelSettings): void {
  if (Object.keys(modelSettings).length > 0) requirePermission(principal, "agents.update");
}

function ownerOf(principal: Principal): string {
  const { kind, id } = toActor(principal);
  return `${kind}:${id ?? ""}`;
}

function ownedBy(principal: Principal): SQL {
  return eq(chatSessions.owner, ownerOf(principal));
}

export function toSession(row: ChatSessionRow): ChatSession {
  const { id, title, targetKind, targetId, targetName, agentSessionId, parameters, modelSettings, mapping } = row;
  return {
    id,
    title,
    target: { kind: targetKind, id: targetId, name: targetName },
    agentSessionId,
    parameters,
    modelSettings: modelSettings ?? {},
    mapping,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
