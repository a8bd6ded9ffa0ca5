import { intersectPermissions, type Principal } from "@oven/contract";
import type { Database } from "@oven/db";
import { PERMISSIONS_OF_U } from "../access/grants.ts";
import { TENANT_OF_U_IS_OPEN } from "../tenants/tenant-is-open.ts";
import type { KeyAddresses } from "./key-addresses.ts";
import { fromKeyPermissions, hashKey } from "./key-format.ts";

interface KeyRow extends Record<string, unknown> {
  id: number;
  tenant_id: number;
  permissions: string | null;
  workflows: string[] | null;
  agents: (number | string)[] | null;
  user_id: number;
  granted: string[];
}

const CACHE_MS = 1_000;
const CACHE_SIZE = 10_000;

/**
 * Finds the principal of an API key: one select, kept for at most a second, so that a revoked key stops within one.
 * The plugin's own check costs 8 ms and a write for each request.
 */
export class KeyLookup {
  readonly #db: Database;
  readonly #addresses: KeyAddresses;
  readonly #cache = new Map<string, { until: number; principal: Promise<Principal | undefined> }>();
  readonly #used = new Map<number, Date>();
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(db: Database, addresses: KeyAddresses) {
    this.#db = db;
    this.#addresses = addresses;
  }

  /** @param address from where it is used, when that is known */
  async find(key: string, address?: string): Promise<Principal | undefined> {
    const hash = hashKey(key);
    const now = Date.now();
    const cached = this.#cache.get(hash);
    const principal = cached !== undefined && cached.until > now ? cached.principal : this.#load(hash, now);
    const found = await principal;
    if (found?.keyId === undefined) return found;
    this.#used.set(found.keyId, new Date());
    if (address !== undefined) this.#addresses.note(found, found.keyId, address);
    return found;
  }

  start(): void {
    this.#flushTimer = setInterval(() => void this.flush(), 30_000);
    this.#flushTimer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#flushTimer);
    await this.flush();
    await this.#addresses.stop();
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

  /** A key by its number, for work that it started earlier; undefined when it is no longer valid. */
  async findById(id: number, tenantId: number): Promise<Principal | undefined> {
    const principal = await this.#read("k.id", id);
    return principal?.tenantId === tenantId ? principal : undefined;
  }

  #select(hash: string): Promise<Principal | undefined> {
    return this.#read("k.key", hash);
  }

  async #read(column: "k.id" | "k.key", value: number | string): Promise<Principal | undefined> {
    const [row] = await this.#db.query<KeyRow>(
      `select k.id, k.tenant_id, k.permissions, k.workflows, k.agents, u.id as user_id, ${PERMISSIONS_OF_U} as granted
       from api_keys k join users u on u.id::text = k.reference_id
       where ${column} = $1 and k.enabled and (k.expires_at is null or k.expires_at > now()) and u.disabled_at is null
         and ${TENANT_OF_U_IS_OPEN}`,
      [value],
      column === "k.key" ? "key-lookup" : "key-lookup-by-id",
    );
    if (row === undefined) return undefined;
    return {
      kind: "api-key",
      userId: row.user_id,
      tenantId: row.tenant_id,
      // A key never outlives what its owner may do.
      permissions: intersectPermissions(fromKeyPermissions(row.permissions), row.granted),
      keyId: row.id,
      ...(row.workflows === null ? {} : { workflows: row.workflows, agents: row.agents?.map(Number) ?? [] }),
    };
  }
}
