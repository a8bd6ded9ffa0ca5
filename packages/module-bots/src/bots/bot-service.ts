import { randomBytes } from "node:crypto";
import { isOvenError, type ListParams, notFound, type Principal } from "@oven/contract";
import type { Bot, CreateBot, UpdateBot } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
// What they put into `services`.
import type {} from "@oven/module-chat";
import { SendError } from "@oven/module-notifications";
import { findVisible, listRows, requirePermission, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { botWords } from "../bot-sentences.ts";
import { languageOf } from "../bots-config.ts";
import { bots } from "../schema.ts";
import { type BotRow, slackSource, teamsSource, toBot } from "./bot-row.ts";

const KEY_BYTES = 24;

const IdentitySchema = z.looseObject({ team_id: z.string().min(1).max(64) });

export interface BotServiceDeps {
  db: Database;
  services: ServiceMap;
}

/** Bots as people see and change them. */
export class BotService {
  readonly #deps: BotServiceDeps;

  constructor(deps: BotServiceDeps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Bot[]; total: number }> {
    const { id, name, enabled, createdAt, updatedAt, tenantId } = bots;
    const { rows, total } = await listRows(this.#deps.db.orm, principal, params, {
      table: bots,
      fields: { id, name, enabled, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: await Promise.all(rows.map((row) => this.#show(principal, row))), total };
  }

  /** @throws OvenError NOT_FOUND, also for those of other tenants */
  async get(principal: Principal, id: number): Promise<Bot> {
    return this.#show(principal, await this.#row(principal, id));
  }

  /** @throws OvenError NOT_FOUND and FORBIDDEN for the target, FORBIDDEN for what guests may do and the principal may not */
  async create(principal: Principal, body: CreateBot): Promise<Bot> {
    await this.#check(principal, body);
    const key = randomBytes(KEY_BYTES).toString("base64url");
    const values = { tenantId: principal.tenantId, ...body, key, savedBy: principal.userId };
    const [row] = await this.#deps.db.orm.insert(bots).values(values).returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return this.#show(principal, await this.#reach(row));
  }

  /** Who saves it is from then on the person whose rights bound those of guests. @throws as `create`, NOT_FOUND */
  async update(principal: Principal, id: number, body: UpdateBot): Promise<Bot> {
    const before = await this.#row(principal, id);
    const changed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const after = { ...before, ...changed };
    await this.#check(principal, after);
    const [row] = await this.#deps.db.orm
      .update(bots)
      .set({ ...changed, savedBy: principal.userId, updatedAt: sql`now()` })
      .where(and(eq(bots.id, id), eq(bots.tenantId, principal.tenantId)))
      .returning();
    if (row === undefined) throw notFound("bot", id);
    return this.#show(principal, body.connection === undefined ? row : await this.#reach(row));
  }

  /** Its conversations and runs stay; what still waits is not answered. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#row(principal, id);
    await this.#deps.db.transaction(async (tx) => {
      for (const table of ["bot_messages", "bot_threads"])
        await tx.query(`delete from ${table} where bot_id = $1 and tenant_id = $2`, [id, principal.tenantId]);
      await tx.orm.delete(bots).where(and(eq(bots.id, id), eq(bots.tenantId, principal.tenantId)));
    });
  }

  /** Posts a message that says hello; what does not work stands in `lastError`. @throws OvenError NOT_FOUND */
  async test(principal: Principal, id: number, conversation: string): Promise<Bot> {
    const row = await this.#row(principal, id);
    return this.#show(
      principal,
      await this.#note(row, async () => {
        const workspace = await this.#workspaceOf(row);
        await this.#hello(row, conversation);
        return workspace;
      }),
    );
  }

  /** The bot that is behind an address; undefined: none that is on. */
  async behind(key: string, type: BotRow["connection"]["type"]): Promise<BotRow | undefined> {
    const [row] = await this.#deps.db.system.orm.select().from(bots).where(eq(bots.key, key));
    return row?.enabled === true && row.connection.type === type ? row : undefined;
  }

  async #hello(row: BotRow, conversation: string): Promise<void> {
    const { messengers, config } = this.#deps.services;
    const text = botWords(await languageOf(config, row))("hello");
    if (row.connection.type === "slack-app") {
      await messengers.slack.call(slackSource(row), "chat.postMessage", { channel: conversation, text });
      return;
    }
    const path = `${encodeURIComponent(conversation)}/activities`;
    await messengers.teams.call(teamsSource(row), "POST", path, { type: "message", text });
  }

  /** Which workspace the token is of. */
  async #workspaceOf(row: BotRow): Promise<string | null> {
    if (row.connection.type !== "slack-app") return null;
    const answer = await this.#deps.services.messengers.slack.call(slackSource(row), "auth.test", {});
    const { data } = IdentitySchema.safeParse(answer);
    if (data === undefined) throw new SendError("Slack did not say which workspace the token is of", true);
    return data.team_id;
  }

  #reach(row: BotRow): Promise<BotRow> {
    return this.#note(row, () => this.#workspaceOf(row));
  }

  /** Does something at the messenger, and notes what came of it. */
  async #note(row: BotRow, act: () => Promise<string | null>): Promise<BotRow> {
    const { db, services } = this.#deps;
    let change: Partial<BotRow>;
    try {
      change = { workspace: await act(), lastError: null };
    } catch (error) {
      if (!(error instanceof SendError)) throw error;
      change = { lastError: services.secrets.redact(row.tenantId, error.message).toWellFormed().replaceAll("\0", "") };
    }
    const [updated] = await db.orm.update(bots).set(change).where(eq(bots.id, row.id)).returning();
    return updated ?? row;
  }

  async #check(principal: Principal, { target, guests }: Pick<Bot, "target" | "guests">): Promise<void> {
    await this.#deps.services.asks.target(principal, target.kind, String(target.id), {});
    for (const permission of guests?.permissions ?? []) requirePermission(principal, permission);
  }

  async #show(principal: Principal, row: BotRow): Promise<Bot> {
    const { kind, id } = row.target;
    try {
      return toBot(row, (await this.#deps.services.asks.target(principal, kind, String(id), {})).name);
    } catch (error) {
      // It is gone, off, or nothing that this person may see.
      if (!isOvenError(error) || error.status >= 500) throw error;
      return toBot(row, null);
    }
  }

  async #row(principal: Principal, id: number): Promise<BotRow> {
    const row = await findVisible(this.#deps.db.orm, bots, principal, id);
    if (row === undefined) throw notFound("bot", id);
    return row;
  }
}
