import { type Json, type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type { CreateSecret, Secret, SecretRotation, UpdateSecret } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, eq, ne, sql } from "@oven/db/drizzle";
import type { RuntimeEnvironment } from "../define/define-module.ts";
import { listRows } from "../list/list-rows.ts";
import { Redactor } from "./redactor.ts";
import { open, type SealingKey, seal, toSealingKey } from "./seal.ts";
import { KeyedSealedValues, type SealedValues } from "./sealed-values.ts";
import { secrets } from "./secrets.table.ts";

type Row = typeof secrets.$inferSelect;

/** Secrets of tenants: written, never read back, and used inside this process only. */
export interface SecretService {
  /** @throws OvenError UNIQUE_VIOLATION 409 */
  create(principal: Principal, body: CreateSecret): Promise<Secret>;
  /** @throws OvenError NOT_FOUND */
  update(principal: Principal, id: number, body: UpdateSecret): Promise<Secret>;
  /** @throws OvenError NOT_FOUND */
  delete(principal: Principal, id: number): Promise<void>;
  /** @throws OvenError NOT_FOUND */
  get(principal: Principal, id: number): Promise<Secret>;
  list(principal: Principal, params: ListParams): Promise<{ rows: Secret[]; total: number }>;
  /**
   * The value, for one call to `host` (with its port, where that is not the protocol's own). Only what sends it may have it.
   * @param reference `secret:<name>`
   * @throws OvenError SECRET_UNKNOWN 422, SECRET_HOST_REFUSED 422, SECRET_UNREADABLE 500
   */
  use(tenantId: number, reference: string, host: string): Promise<string>;
  /**
   * The value, to make or check signatures with. Only a secret that is bound to no host serves for it: what is sent
   * somewhere proves nothing.
   * @param reference `secret:<name>`
   * @throws OvenError SECRET_UNKNOWN 422, SECRET_HOST_REFUSED 422, SECRET_UNREADABLE 500
   */
  signingKey(tenantId: number, reference: string): Promise<string>;
  /** For what modules keep sealed themselves. */
  readonly sealed: SealedValues;
  /** Seals with the present key whatever an earlier one sealed: of one tenant, or of all. */
  rotate(tenantId?: number): Promise<SecretRotation>;
  /** JSON without the tenant's secrets, as far as this process has held them. */
  redact<T extends Json>(tenantId: number, value: T): T;
  redactError(tenantId: number, error: unknown): unknown;
  /** A line of a log, without anybody's secrets. */
  redactText(text: string): string;
}

declare module "../define/services.ts" {
  interface ServiceMap {
    secrets: SecretService;
  }
}

const REFERENCE = /^secret:(.+)$/;
/** How exactly `lastUsedAt` is kept: not every call of a busy workflow shall write. */
const USED_MS = 60_000;

export function createSecretService(
  db: Database,
  { secret, previousSecrets = [] }: Pick<RuntimeEnvironment, "secret" | "previousSecrets">,
  now: () => number = Date.now,
): SecretService {
  const present = toSealingKey(secret);
  const keys = new Map<string, SealingKey>([...previousSecrets.map(toSealingKey), present].map((key) => [key.id, key]));
  const sealed = new KeyedSealedValues(present, keys);
  const redactor = new Redactor();

  function unseal(row: Row): string | undefined {
    const key = keys.get(row.keyId);
    return key && open(key, row.sealed, contextOf(row));
  }

  /** Another process may have changed the row meanwhile: what it wrote stays. */
  async function reseal(row: Row, value: string): Promise<boolean> {
    const changed = await db.orm
      .update(secrets)
      .set({ keyId: present.id, sealed: seal(present, value, contextOf(row)) })
      .where(and(eq(secrets.id, row.id), eq(secrets.sealed, row.sealed)))
      .returning({ id: secrets.id });
    return changed.length > 0;
  }

  async function find(principal: Principal, id: number): Promise<Row> {
    const [row] = await db.orm
      .select()
      .from(secrets)
      .where(and(eq(secrets.id, id), eq(secrets.tenantId, principal.tenantId)));
    if (row === undefined) throw notFound("secret", id);
    return row;
  }

  async function findByName(tenantId: number, reference: string): Promise<Row> {
    const name = REFERENCE.exec(reference)?.[1] ?? "";
    const [row] = await db.orm
      .select()
      .from(secrets)
      .where(and(eq(secrets.tenantId, tenantId), eq(secrets.name, name)));
    if (row === undefined) throw unknownSecret(name);
    return row;
  }

  async function take(row: Row): Promise<string> {
    const { tenantId, name } = row;
    const value = unseal(row);
    if (value === undefined) throw unreadable(name);
    redactor.learn(tenantId, name, value);
    if (row.keyId !== present.id) await reseal(row, value);
    await markUsed(row);
    return value;
  }

  async function markUsed({ id, lastUsedAt }: Row): Promise<void> {
    if (lastUsedAt !== null && now() - lastUsedAt.getTime() < USED_MS) return;
    await db.orm
      .update(secrets)
      .set({ lastUsedAt: new Date(now()) })
      .where(eq(secrets.id, id));
  }

  return {
    sealed,
    async create({ tenantId, userId }, { name, value, hosts }) {
      redactor.learn(tenantId, name, value);
      const values = {
        tenantId,
        name,
        hosts: [...new Set(hosts)],
        keyId: present.id,
        sealed: seal(present, value, contextOf({ tenantId, name })),
        createdBy: userId,
      };
      const [row] = await db.orm.insert(secrets).values(values).returning();
      if (row === undefined) throw new Error("an insert answered no row");
      return toSecret(row);
    },
    async update(principal, id, { value, hosts }) {
      const current = await find(principal, id);
      if (value !== undefined) redactor.learn(current.tenantId, current.name, value);
      const changed =
        value === undefined ? {} : { keyId: present.id, sealed: seal(present, value, contextOf(current)) };
      const [row] = await db.orm
        .update(secrets)
        .set({ ...changed, ...(hosts === undefined ? {} : { hosts: [...new Set(hosts)] }), updatedAt: sql`now()` })
        .where(eq(secrets.id, id))
        .returning();
      if (row === undefined) throw notFound("secret", id);
      return toSecret(row);
    },
    async delete(principal, id) {
      await find(principal, id);
      await db.orm.delete(secrets).where(eq(secrets.id, id));
    },
    get: async (principal, id) => toSecret(await find(principal, id)),
    async list(principal, params) {
      const { id, name, lastUsedAt, createdAt, updatedAt, tenantId } = secrets;
      const { rows, total } = await listRows(db.orm, principal, params, {
        table: secrets,
        fields: { id, name, lastUsedAt, createdAt, updatedAt },
        search: [name],
        tenant: tenantId,
        where: eq(tenantId, principal.tenantId),
      });
      return { rows: rows.map(toSecret), total };
    },
    async use(tenantId, reference, host) {
      const row = await findByName(tenantId, reference);
      if (!row.hosts.includes(host)) throw hostRefused(row, host);
      return take(row);
    },
    async signingKey(tenantId, reference) {
      const row = await findByName(tenantId, reference);
      if (row.hosts.length > 0) throw isSent(row);
      return take(row);
    },
    async rotate(tenantId) {
      const of = tenantId === undefined ? undefined : eq(secrets.tenantId, tenantId);
      const rows = await db.orm
        .select()
        .from(secrets)
        .where(and(ne(secrets.keyId, present.id), of));
      const result = await sealed.rotate(tenantId);
      for (const row of rows) {
        const value = unseal(row);
        if (value === undefined) result.unreadable.push(row.name);
        else if (await reseal(row, value)) result.rotated++;
      }
      return result;
    },
    redact: (tenantId, value) => redactor.json(tenantId, value),
    redactError: (tenantId, error) => redactor.error(tenantId, error),
    redactText: (text) => redactor.text(text),
  };
}

function contextOf({ tenantId, name }: Pick<Row, "tenantId" | "name">): string {
  return `${tenantId}/${name}`;
}

/** Named one by one: what is sealed must not slip out with the rest. */
function toSecret({ id, name, hosts, lastUsedAt, createdBy, createdAt, updatedAt }: Row): Secret {
  return {
    id,
    name,
    hosts,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function unknownSecret(name: string): OvenError {
  return new OvenError("SECRET_UNKNOWN", `There is no secret ${JSON.stringify(name)}`, {
    status: 422,
    fix: "Make it with POST /api/secrets, or correct the name.",
  });
}

function hostRefused({ name, hosts }: Row, host: string): OvenError {
  return new OvenError("SECRET_HOST_REFUSED", `The secret ${name} is not sent to ${host}`, {
    status: 422,
    fix: `It is bound to ${hosts.length === 0 ? "no host" : hosts.join(", ")}; somebody who may change secrets can add the host.`,
  });
}

function isSent({ name, hosts }: Row): OvenError {
  return new OvenError(
    "SECRET_HOST_REFUSED",
    `The secret ${name} is sent to ${hosts.join(", ")}, so it signs nothing`,
    {
      status: 422,
      fix: "Keep the key of a signature as a secret with no hosts.",
    },
  );
}

function unreadable(name: string): OvenError {
  return new OvenError(
    "SECRET_UNREADABLE",
    `The secret ${name} was sealed with a key that this process does not have`,
    {
      status: 500,
      fix: "Name the earlier OVEN_SECRET in OVEN_SECRET_PREVIOUS, or write the value anew.",
    },
  );
}
