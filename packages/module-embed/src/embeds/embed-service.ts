import { randomBytes } from "node:crypto";
import { type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { Embed, EmbedSettings } from "@oven/contract/embed";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { listRows } from "@oven/module-registry";
import { embeds } from "../tables/embeds.table.ts";
import { type EmbedRow, toEmbed } from "./embed-row.ts";
import type { EmbedTargets } from "./embed-targets.ts";

/** What administrators set. */
export class EmbedService {
  readonly #db: Database;
  readonly #targets: EmbedTargets;

  constructor(deps: { db: Database; targets: EmbedTargets }) {
    this.#db = deps.db;
    this.#targets = deps.targets;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: Embed[]; total: number }> {
    const { id, name, enabled, createdAt, updatedAt, tenantId: tenant } = embeds;
    const fields = { id, name, enabled, createdAt, updatedAt };
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: embeds,
      fields,
      search: [name],
      tenant,
    });
    return { rows: rows.map(toEmbed), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, id: number): Promise<Embed> {
    return toEmbed(await this.#row(principal, id));
  }

  /** @throws OvenError FORBIDDEN, NOT_FOUND and INVALID_INPUT where the target cannot be shown so */
  async create(principal: Principal, settings: EmbedSettings): Promise<Embed> {
    await this.#targets.require(principal, settings);
    const publicId = randomBytes(12).toString("hex");
    const values = { tenantId: principal.tenantId, publicId, ...toColumns(principal, settings) };
    const [row] = await this.#db.orm.insert(embeds).values(values).returning();
    if (row === undefined) throw new Error("an insert answered no row");
    return toEmbed(row);
  }

  /** Its runs have the permissions of the principal from then on. @throws OvenError NOT_FOUND, and as `create` */
  async update(principal: Principal, id: number, settings: EmbedSettings): Promise<Embed> {
    const before = await this.#row(principal, id);
    // Something that is to be switched off may have lost its target.
    if (settings.enabled) await this.#targets.require(principal, settings);
    const endsSessions = (before.enabled && !settings.enabled) || isOther(before.settings, settings);
    const [row] = await this.#db.orm
      .update(embeds)
      .set({
        ...toColumns(principal, settings),
        lastError: null,
        updatedAt: sql`now()`,
        ...(endsSessions ? { epoch: sql`${embeds.epoch} + 1` } : {}),
      })
      .where(eq(embeds.id, before.id))
      .returning();
    if (row === undefined) throw notFound("embed", id);
    return toEmbed(row);
  }

  /** With its visitors and what they said; runs stay. @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    const { id: own } = await this.#row(principal, id);
    await this.#db.orm.delete(embeds).where(eq(embeds.id, own));
  }

  async #row(principal: Principal, id: number): Promise<EmbedRow> {
    const own = and(eq(embeds.id, id), eq(embeds.tenantId, principal.tenantId));
    const [row] = await this.#db.orm.select().from(embeds).where(own);
    if (row === undefined) throw notFound("embed", id);
    return row;
  }
}

/** A conversation with one target does not go on with another. */
function isOther(before: EmbedSettings, after: EmbedSettings): boolean {
  return before.mode !== after.mode || before.target.kind !== after.target.kind || before.target.id !== after.target.id;
}

function toColumns({ userId, keyId, through, permissions }: Principal, settings: EmbedSettings) {
  if (userId === null)
    throw new OvenError("FORBIDDEN", "An embed runs in the name of a user, and these credentials belong to none", {
      status: 403,
    });
  return {
    name: settings.name,
    enabled: settings.enabled,
    settings,
    runsAs: userId,
    runsWithKey: keyId ?? through?.keyId ?? null,
    runsWithApp: through?.app ?? null,
    granted: permissions,
  };
}
