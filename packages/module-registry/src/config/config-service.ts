import { type Json, SHARED_TENANT } from "@oven/contract";
import type { ConfigSource, ResolvedConfig } from "@oven/contract/system";
import { currentTenant, type Database, type Transaction } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import type { RegistryView } from "../define/define-module.ts";
import { checkConfigInstance, checkConfigValue, findConfigKey } from "./config-keys.ts";
import { moduleConfigs } from "./module-configs.table.ts";

export interface ConfigRequest {
  module: string;
  key: string;
  tenantId: number;
  /** Such as a workflow's id; its own value is stronger than its module's. */
  instance?: string | undefined;
  /** The same, for callers that do not know whether the key has instances: without them it is left out. */
  instanceIfAny?: string | undefined;
}

/** Configuration values by the cascade tenant-instance, tenant-module, platform-instance, platform-module, default. */
export interface ConfigService {
  /**
   * @param tx inside a transaction the one to read with: another connection may have to wait for it
   * @throws OvenError CONFIG_KEY_UNKNOWN 422, CONFIG_VALUE_INVALID for a stored value that no longer fits its key
   */
  resolve(request: ConfigRequest, tx?: Transaction): Promise<ResolvedConfig>;
  /** Drops what is remembered, after a change. */
  forget(): void;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    config: ConfigService;
  }
}

interface StoredValue {
  tenantId: number;
  scopeId: string | null;
  value: Json;
}

/** How long another process's change may stay unseen. */
const FRESH_MS = 5_000;
const CACHE_SIZE = 10_000;

export function createConfigService(db: Database, registry: RegistryView, now: () => number = Date.now): ConfigService {
  const cache = new Map<string, { rows: StoredValue[]; until: number }>();
  const gathering = new Map<string, { keys: Set<string>; reading: Promise<ValuesByKey> }>();
  let generation = 0;

  async function rowsOf(request: ConfigRequest, tx: Transaction | undefined): Promise<StoredValue[]> {
    const { module, key, tenantId } = request;
    // What is read inside a transaction is used once and not remembered.
    if (tx !== undefined || db.isJoint) return (await readValues(tx ?? db, request, [key])).get(key) ?? [];
    const id = JSON.stringify([module, key, tenantId]);
    const known = cache.get(id);
    if (known !== undefined && now() < known.until) return known.rows;
    const began = generation;
    const rows = (await gather(request)).get(key) ?? [];
    // As is what was read while something changed.
    if (began === generation) {
      if (cache.size >= CACHE_SIZE) cache.clear();
      cache.set(id, { rows, until: now() + FRESH_MS });
    }
    return rows;
  }

  /** What is asked of one module in one go, behind the same wall, is read as one. */
  function gather({ module, key, tenantId }: ConfigRequest): Promise<ValuesByKey> {
    const id = JSON.stringify([module, tenantId, currentTenant() ?? null]);
    const open = gathering.get(id);
    if (open !== undefined) {
      open.keys.add(key);
      return open.reading;
    }
    const keys = new Set([key]);
    const reading = Promise.resolve().then(() => {
      gathering.delete(id);
      return readValues(db, { module, tenantId }, [...keys]);
    });
    gathering.set(id, { keys, reading });
    return reading;
  }

  return {
    async resolve(request, tx) {
      const declared = findConfigKey(registry, request.module, request.key);
      if (request.instance !== undefined) checkConfigInstance(request.module, declared);
      const instance = request.instance ?? (declared.instances === undefined ? undefined : request.instanceIfAny);
      const found = strongest(await rowsOf(request, tx), { ...request, instance });
      if (found === undefined) return { value: declared.defaultValue, source: "default" };
      checkConfigValue(request.module, declared, found.value);
      return found;
    },
    forget() {
      generation++;
      cache.clear();
    },
  };
}

type ValuesByKey = Map<string, StoredValue[]>;

async function readValues(
  { orm }: Pick<Transaction, "orm">,
  { module, tenantId }: Pick<ConfigRequest, "module" | "tenantId">,
  keys: string[],
): Promise<ValuesByKey> {
  const { key, tenantId: tenant, scopeId, value } = moduleConfigs;
  const rows = await orm
    .select({ key, tenantId: tenant, scopeId, value })
    .from(moduleConfigs)
    .where(and(eq(moduleConfigs.moduleName, module), inArray(key, keys), inArray(tenant, [tenantId, SHARED_TENANT])));
  return Map.groupBy(rows, (row) => row.key);
}

function strongest(rows: readonly StoredValue[], { tenantId, instance }: ConfigRequest): ResolvedConfig | undefined {
  const levels: { source: ConfigSource; tenant: number; scope: string | null }[] = [
    ...(instance === undefined ? [] : [{ source: "tenant-instance" as const, tenant: tenantId, scope: instance }]),
    { source: "tenant-module", tenant: tenantId, scope: null },
    ...(instance === undefined
      ? []
      : [{ source: "platform-instance" as const, tenant: SHARED_TENANT, scope: instance }]),
    { source: "platform-module", tenant: SHARED_TENANT, scope: null },
  ];
  for (const { source, tenant, scope } of levels) {
    // What belongs to the whole installation resolves there: tenant 0 has no level of its own.
    if (tenantId === SHARED_TENANT && source.startsWith("tenant-")) continue;
    const row = rows.find((candidate) => candidate.tenantId === tenant && candidate.scopeId === scope);
    if (row !== undefined) return { value: row.value, source };
  }
  return undefined;
}
