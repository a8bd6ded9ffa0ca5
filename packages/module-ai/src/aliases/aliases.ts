import { DEFAULT_TENANT, notFound, OvenError, SHARED_TENANT } from "@oven/contract";
import type { CreateModelAlias, UpdateModelAlias } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { and, desc, eq, inArray, sql } from "@oven/db/drizzle";
import { aiAliases } from "../tables/ai-aliases.table.ts";

export const AUTO = "auto";
/** Stands for a model that gives vectors, not text. */
export const EMBED_ALIAS = "embed";
/** Stands for a model that makes images. */
export const IMAGE_ALIAS = "image";
/** Names that stand for a model by themselves: a row of the name says otherwise. */
const BUILT_IN: readonly string[] = ["fast", "smart", EMBED_ALIAS, IMAGE_ALIAS];
/** What a name of the platform's own workflows stands for, until a row says otherwise. */
const LIKE_SMART: ReadonlySet<string> = new Set(["builder"]);

export type AliasRow = typeof aiAliases.$inferSelect;

/** What an alias stands for: the tenant's own row, else the shared one of that name, else what the name means by itself. */
export async function findAlias(
  db: Database,
  tenantId: number,
  name: string,
): Promise<Pick<AliasRow, "model" | "fallbacks" | "settings"> | undefined> {
  const row = await findRow(db, tenantId, name);
  if (row === undefined && LIKE_SMART.has(name)) return findAlias(db, tenantId, "smart");
  return row ?? (BUILT_IN.includes(name) ? { model: AUTO, fallbacks: [], settings: {} } : undefined);
}

async function findRow(db: Database, tenantId: number, name: string): Promise<AliasRow | undefined> {
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
  return [...new Set([...BUILT_IN, ...LIKE_SMART, ...rows.map((row) => row.name)])].sort();
}

/** @throws OvenError NOT_FOUND */
export async function getAlias(db: Database, tenantId: number, id: number): Promise<AliasRow> {
  const [row] = await db.orm
    .select()
    .from(aiAliases)
    .where(and(eq(aiAliases.id, id), inArray(aiAliases.tenantId, [tenantId, SHARED_TENANT])));
  if (row === undefined) throw notFound("Alias", id);
  return row;
}

/** @throws OvenError UNIQUE_VIOLATION 409 */
export async function createAlias(db: Database, tenantId: number, body: CreateModelAlias): Promise<AliasRow> {
  const { name, settings } = body;
  const [model = AUTO, ...fallbacks] = body.models ?? [body.model ?? AUTO];
  const [row] = await db.orm.insert(aiAliases).values({ tenantId, name, model, fallbacks, settings }).returning();
  if (row === undefined) throw new Error("an insert answered no row");
  return row;
}

/** @throws OvenError NOT_FOUND also for another tenant's alias and for shared ones, which no tenant may change */
export async function updateAlias(
  db: Database,
  tenantId: number,
  id: number,
  change: UpdateModelAlias,
): Promise<AliasRow> {
  const chain = chainOf(change);
  const [row] = await db.orm
    .update(aiAliases)
    .set({
      ...(chain === undefined ? {} : { model: chain[0] ?? AUTO, fallbacks: chain.slice(1) }),
      ...(change.settings === undefined ? {} : { settings: change.settings }),
      updatedAt: sql`now()`,
    })
    .where(ofTenant(tenantId, id))
    .returning();
  if (row === undefined) throw notFound("Alias", id);
  return row;
}

/** The models a change names, in order; undefined when it names none. */
export function chainOf({ model, models }: Pick<UpdateModelAlias, "model" | "models">): string[] | undefined {
  if (models !== undefined && (model === undefined || models[0] === model)) return models;
  return model === undefined ? undefined : [model];
}

/** @throws OvenError NOT_FOUND also for another tenant's alias and for shared ones */
export async function deleteAlias(db: Database, tenantId: number, id: number): Promise<void> {
  const [row] = await db.orm.delete(aiAliases).where(ofTenant(tenantId, id)).returning({ id: aiAliases.id });
  if (row === undefined) throw notFound("Alias", id);
}

/** Whether a name stands for a provider's best model where none is named. */
export function isSmart(alias: string): boolean {
  return alias === "smart" || LIKE_SMART.has(alias);
}

/** For the first start only, so that there is something to look at and to change. */
export async function seedAliases(db: Database): Promise<void> {
  const [known] = await db.orm
    .select({ id: aiAliases.id })
    .from(aiAliases)
    .where(eq(aiAliases.tenantId, DEFAULT_TENANT))
    .limit(1);
  if (known !== undefined) return;
  await db.orm
    .insert(aiAliases)
    .values(BUILT_IN.map((name) => ({ tenantId: DEFAULT_TENANT, name, model: AUTO })))
    .onConflictDoNothing();
}

export function unknownModel(name: string, aliases: readonly string[]): OvenError {
  return new OvenError("MODEL_UNKNOWN", `There is no model alias \`${name}\``, {
    status: 422,
    fix: `Use \`providerId:modelId\` or one of the aliases: ${aliases.join(", ")}`,
  });
}

function ofTenant(tenantId: number, id: number) {
  return and(eq(aiAliases.id, id), eq(aiAliases.tenantId, tenantId));
}
