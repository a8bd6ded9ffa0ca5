import { isOvenError, type Json, type ListParams, notFound, type Principal, SHARED_TENANT } from "@oven/contract";
import {
  type ConfigCascade,
  ConfigSourceSchema,
  type CreateModuleConfig,
  type ModuleConfig,
} from "@oven/contract/system";
import type { Database } from "@oven/db";
import { eq, sql } from "@oven/db/drizzle";
import type { ConfigKey, RegistryView } from "../define/define-module.ts";
import { findVisible } from "../list/find-visible.ts";
import { listRows, visibleTo } from "../list/list-rows.ts";
import { requirePermission } from "../router/authentication.ts";
import { checkConfigInstance, checkConfigValue, findConfigKey } from "./config-keys.ts";
import type { ConfigService } from "./config-service.ts";
import { moduleConfigs } from "./module-configs.table.ts";

type Row = typeof moduleConfigs.$inferSelect;

/** What changes the whole installation, not only one's own tenant. */
const PLATFORM = "config.platform";

/** The stored values, as rows to list and to change. Every change is checked against the key's declaration. */
export class ConfigRows {
  readonly #db: Database;
  readonly #registry: RegistryView;
  readonly #config: ConfigService;

  constructor(db: Database, registry: RegistryView, config: ConfigService) {
    this.#db = db;
    this.#registry = registry;
    this.#config = config;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: ModuleConfig[]; total: number }> {
    const { id, moduleName, key, scopeId, createdAt, updatedAt, tenantId } = moduleConfigs;
    const { rows, total } = await listRows(this.#db.orm, principal, params, {
      table: moduleConfigs,
      fields: { id, moduleName, key, scopeId, createdAt, updatedAt },
      search: [moduleName, key],
      tenant: tenantId,
    });
    return { rows: rows.map(toModuleConfig), total };
  }

  /** Every key that a module declares, with what is stored for it, by module. */
  async cascades(principal: Principal): Promise<ConfigCascade[]> {
    const rows = await this.#db.orm
      .select()
      .from(moduleConfigs)
      .where(visibleTo(principal, moduleConfigs.tenantId))
      .orderBy(moduleConfigs.id);
    const byKey = Map.groupBy(rows, (row) => JSON.stringify([row.moduleName, row.key]));
    return this.#registry
      .modules()
      .flatMap(({ name, configSchema }) =>
        configSchema.map((declared) =>
          toCascade(name, declared, byKey.get(JSON.stringify([name, declared.key])) ?? []),
        ),
      );
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<ModuleConfig> {
    return toModuleConfig(await this.#find(principal, id));
  }

  /** @throws OvenError CONFIG_KEY_UNKNOWN 422, CONFIG_VALUE_INVALID, CONFIG_NOT_INSTANCED, FORBIDDEN, UNIQUE_VIOLATION 409 */
  async create(principal: Principal, body: CreateModuleConfig): Promise<ModuleConfig> {
    const { moduleName, key, value, platform } = body;
    const scopeId = body.scopeId ?? null;
    const declared = findConfigKey(this.#registry, moduleName, key);
    if (scopeId !== null) checkConfigInstance(moduleName, declared);
    checkConfigValue(moduleName, declared, value);
    if (platform) requirePermission(principal, PLATFORM);
    const tenantId = platform ? SHARED_TENANT : principal.tenantId;
    const values = { tenantId, moduleName, key, scopeId, value, createdBy: principal.userId };
    const [row] = await this.#db.orm.insert(moduleConfigs).values(values).returning();
    this.#config.forget();
    if (row === undefined) throw new Error("an insert answered no row");
    return toModuleConfig(row);
  }

  /** @throws OvenError NOT_FOUND, CONFIG_VALUE_INVALID, FORBIDDEN */
  async update(principal: Principal, id: number, value: Json): Promise<ModuleConfig> {
    const { moduleName, key } = await this.#findOwn(principal, id);
    checkConfigValue(moduleName, findConfigKey(this.#registry, moduleName, key), value);
    const [row] = await this.#db.orm
      .update(moduleConfigs)
      .set({ value, updatedAt: sql`now()` })
      .where(eq(moduleConfigs.id, id))
      .returning();
    this.#config.forget();
    if (row === undefined) throw notFound("configuration value", id);
    return toModuleConfig(row);
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.#findOwn(principal, id);
    await this.#db.orm.delete(moduleConfigs).where(eq(moduleConfigs.id, id));
    this.#config.forget();
  }

  async #find(principal: Principal, id: number): Promise<Row> {
    const row = await findVisible(this.#db.orm, moduleConfigs, principal, id);
    if (row === undefined) throw notFound("configuration value", id);
    return row;
  }

  async #findOwn(principal: Principal, id: number): Promise<Row> {
    const row = await this.#find(principal, id);
    if (row.tenantId === SHARED_TENANT) requirePermission(principal, PLATFORM);
    return row;
  }
}

function toModuleConfig(row: Row): ModuleConfig {
  return {
    ...row,
    tenantId: row.tenantId === SHARED_TENANT ? null : row.tenantId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toCascade(moduleName: string, declared: ConfigKey, rows: readonly Row[]): ConfigCascade {
  const { key, type, description, defaultValue, instances = null } = declared;
  const order = ConfigSourceSchema.options;
  const stored = rows
    .map(({ id, tenantId, scopeId, value }): ConfigCascade["stored"][number] => {
      const level = tenantId === SHARED_TENANT ? "platform" : "tenant";
      return { id, source: `${level}-${scopeId === null ? "module" : "instance"}`, scopeId, value };
    })
    .toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  const found = stored.find(({ scopeId }) => scopeId === null);
  const { value, source } = found ?? { value: defaultValue, source: "default" as const };
  const problem = found === undefined ? null : problemOf(moduleName, declared, found.value);
  return { moduleName, key, type, description, defaultValue, instances, value, source, problem, stored };
}

/** A key may have become stricter since its value was stored. */
function problemOf(moduleName: string, declared: ConfigKey, value: Json): string | null {
  try {
    checkConfigValue(moduleName, declared, value);
    return null;
  } catch (error) {
    if (isOvenError(error)) return error.message;
    throw error;
  }
}
