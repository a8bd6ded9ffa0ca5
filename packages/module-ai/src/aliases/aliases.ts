import {
  type AliasSettings,
  DEFAULT_TENANT,
  notFound,
  OvenError,
  SHARED_TENANT,
  type UpdateModelAlias,
} from "@oven/contract";
import type { Database } from "@oven/db";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { aiAliases } from "../tables/ai-aliases.table.ts";

export const AUTO = "auto";
/** Stands for a model that gives vectors, not text. */
export const EMBED_ALIAS = "embed";
const SEEDED_ALIASES = ["fast", "smart", EMBED_ALIAS] as const;

export type AliasRow = typeof aiAliases.$inferSelect;

/** The tenant's own alias, else the shared one of that name. */
export async function findAlias(db: Database, tenantId: number, name: string): Promise<AliasRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(aiAliases)
    .where(and(eq(aiAliases.name, name), inArray(aiAliases.tenantId, [tenantId, SHARED_TENANT])))
    .orderBy(desc(aiAliases.tenantId))
    .limit(1);
  return row;
}

export async function aliasNames(db: Database, tenantId: number): Promise<string[]> {
  const rows = await db.orm
    .selectDistinct({ name: aiAliases.name })
    .from(aiAliases)
    .where(inArray(aiAliases.tenantId, [tenantId, SHARED_TENANT]));
  return rows.map((row) => row.name).sort();
}

/** @throws OvenError NOT_FOUND also for another tenant's alias and for shared ones, which no tenant may change */
export async function updateAlias(
  db: Database,
  tenantId: number,
  id: number,
  change: UpdateModelAlias,
): Promise<AliasRow> {
  const values: { model?: string; settings?: AliasSettings } = {
    ...(change.model === undefined ? {} : { model: change.model }),
    ...(change.settings === undefined ? {} : { settings: change.settings }),
  };
  const [row] = await db.orm
    .update(aiAliases)
    .set({ ...values, updatedAt: sql`now()` })
    .where(and(eq(aiAliases.id, id), eq(aiAliases.tenantId, tenantId)))
    .returning();
  if (row === undefined) throw notFound("Alias", id);
  return row;
}

export async function seedAliases(db: Database): Promise<void> {
  await db.orm
    .insert(aiAliases)
    .values(SEEDED_ALIASES.map((name) => ({ tenantId: DEFAULT_TENANT, name, model: AUTO })))
    .onConflictDoNothing();
}

export function unknownModel(name: string, aliases: readonly string[]): OvenError {
  return new OvenError("MODEL_UNKNOWN", `There is no model alias \`${name}\``, {
    status: 422,
    fix: `Use \`providerId:modelId\` or one of the aliases: ${aliases.join(", ")}`,
  });
}
