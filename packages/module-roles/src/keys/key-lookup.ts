import { isGranted, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { permissionsOf } from "../access/roles.ts";
import { fromKeyPermissions, hashKey } from "./key-format.ts";

interface KeyRow extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  permissions: string | null;
  user_id: number;
  role: string;
}

const CACHE_MS = 1_000;
const CACHE_SIZE = 10_000;

/**
 * Finds the principal of an API key: one select, kept for at most a second, so that a revoked key stops within one.
 * The plugin's own check costs 8 ms and a write for each request.
 */
export class KeyLookup {
  readonly #db: Database;
  readonly #cache = new Map<string, { until: number; principal: Promise<Principal | undefined> }>();
  readonly #used = new Map<number, Date>();
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(key: string): Promise<Principal | undefined> {
    const hash = hashKey(key);
    const now = Date.now();
    const cached = this.#cache.get(hash);
    const principal = cached !== undefined && cached.until > now ? cached.principal : this.#load(hash, now);
    const found = await principal;
    if (found?.keyId !== undefined) this.#used.set(found.keyId, new Date());
    return found;
  }

  start(): void {
    this.#flushTimer = setInterval(() => void this.flush(), 30_000);
    this.#flushTimer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#flushTimer);
    await this.flush();
  }

  /** Writes when keys were last used, in one batch. */
  async flush(): Promise<void> {
    const used = [...this.#used];
    this.#used.clear();
    if (used.length === 0) return;
    try {
      await this.#db.query(
        `update api_keys set last_request = used.at from unnest($1::bigint[], $2::timestamptz[]) as used(id, at)
         where api_keys.id = used.id`,
        [used.map(([id]) => id), used.map(([, at]) => at.toISOString())],
      );
    } catch (error) {
      console.warn("noting when API keys were used failed:", error);
    }
  }

  #load(hash: string, now: number): Promise<Principal | undefined> {
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    const principal = this.#select(hash);
    this.#cache.set(hash, { until: now + CACHE_MS, principal });
    principal.catch(() => this.#cache.delete(hash));
    return principal;
  }

  async #select(hash: string): Promise<Principal | undefined> {
    const [row] = await this.#db.query<KeyRow>(
      `select k.id, k.tenant_id, k.permissions, u.id as user_id, u.role
       from api_keys k join users u on u.id::text = k.reference_id
       where k.key = $1 and k.enabled and (k.expires_at is null or k.expires_at > now())`,
      [hash],
      "key-lookup",
    );
    if (row === undefined) return undefined;
    const role = permissionsOf(row.role);
    return {
      kind: "api-key",
      userId: row.user_id,
      tenantId: row.tenant_id,
      // A key never outlives what its owner may do.
      permissions: fromKeyPermissions(row.permissions).filter((permission) => isGranted(role, permission)),
      keyId: row.id,
    };
  }
}
