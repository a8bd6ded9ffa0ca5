import type { ApiAuth, ApiDocument, ApiSource } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, asc, eq, lte, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import { SHARED } from "../accounts/account-store.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { signRequest, usesAccount } from "../accounts/sign-request.ts";
import { operationsChanged } from "../operations/operation-events.ts";
import { storeOperations } from "../operations/store-operations.ts";
import { apiConnections } from "../schema.ts";
import type { ConnectionRow } from "./connection-row.ts";
import { readSource } from "./read-source.ts";

/** How often a document at an address is read again. */
const CHECK_MS = 86_400_000;
/** After the first failure; twice as long after each more, up to a day. */
const BACKOFF_MS = 300_000;
/** Another process that claimed a reading and ended leaves it for this long. */
const CLAIM_MS = 120_000;
const AT_ONCE = 2;

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "outbound" | "events">;
  accounts: Accounts;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
  now?: () => number;
}

/** A connection that may not be stored yet. */
type Signing = { tenantId: number; auth?: ApiAuth; serverUrl?: string } | ConnectionRow;

/** Reads documents: of new connections, on request, and by itself each day. */
export class Readings {
  readonly #deps: Required<Deps>;

  constructor({ now = Date.now, ...deps }: Deps) {
    this.#deps = { ...deps, db: deps.db.system, now };
  }

  /** @throws OvenError API_DOCUMENT_UNREADABLE, OUTBOUND_*, SECRET_* */
  async read(source: ApiSource, signing: Signing, signal: AbortSignal): Promise<ApiDocument> {
    const signature = source.type === "graphql" ? await this.#sign(signing, signal) : undefined;
    const { outbound } = this.#deps.services;
    return readSource(source, { outbound, tenantId: signing.tenantId, signature, signal });
  }

  /** Reads a stored connection's document again, whatever comes of it: an error is written down, not thrown. */
  async refresh(row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const { sourceType, sourceUrl } = row;
    if (sourceUrl === null || sourceType === "text") return;
    const source: ApiSource = { type: sourceType, url: sourceUrl };
    try {
      await this.#store(row, source, await this.read(source, row, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#failed(row, error);
    }
  }

  /** All that are due, of all tenants; two processes never read the same one. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const due = await this.#deps.db.orm
      .select()
      .from(apiConnections)
      .where(and(eq(apiConnections.enabled, true), lte(apiConnections.nextCheckAt, new Date(this.#deps.now()))))
      .orderBy(asc(apiConnections.nextCheckAt))
      .limit(AT_ONCE);
    for (const row of due) if (await this.#claim(row)) await this.refresh(row, signal);
  }

  /** Milliseconds until the next reading; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    const [next] = await this.#deps.db.orm
      .select({ at: sql<Date | string | null>`min(${apiConnections.nextCheckAt})` })
      .from(apiConnections)
      .where(eq(apiConnections.enabled, true));
    return next?.at == null ? undefined : Math.max(0, new Date(next.at).getTime() - this.#deps.now());
  }

  async #store(row: ConnectionRow, source: ApiSource, document: ApiDocument): Promise<void> {
    const { db, services } = this.#deps;
    const changed = await db.transaction(async (tx) => {
      const tools = await storeOperations(tx, row, document.operations);
      await tx.orm
        .update(apiConnections)
        .set(toStored(source, document, this.#deps.now()))
        .where(of(row));
      if (tools.length > 0) await services.events.write(tx, [operationsChanged(row, tools)]);
      return tools.length > 0;
    });
    if (changed) services.events.wake();
  }

  async #failed(row: ConnectionRow, error: unknown): Promise<void> {
    const failures = row.failures + 1;
    const wait = Math.min(CHECK_MS, BACKOFF_MS * 2 ** Math.min(failures - 1, 10));
    await this.#deps.db.orm
      .update(apiConnections)
      .set({
        lastError: (error instanceof Error ? error.message : String(error)).replaceAll("\u0000", "").slice(0, 1_000),
        failures,
        nextCheckAt: new Date(this.#deps.now() + wait),
      })
      .where(of(row));
  }

  async #claim(row: ConnectionRow): Promise<boolean> {
    if (row.nextCheckAt === null) return false;
    const claimed = await this.#deps.db.orm
      .update(apiConnections)
      .set({ nextCheckAt: new Date(this.#deps.now() + CLAIM_MS) })
      .where(and(of(row), eq(apiConnections.nextCheckAt, row.nextCheckAt)))
      .returning({ id: apiConnections.id });
    return claimed.length > 0;
  }

  async #sign(signing: Signing, signal: AbortSignal) {
    const { auth, serverUrl } = signing;
    if (auth === undefined || serverUrl === undefined) return undefined;
    const { accounts, allow } = this.#deps;
    if (!("id" in signing) || !usesAccount(signing))
      return auth.type === "oauth" ||
        auth.type === "client-credentials" ||
        !("secret" in auth) ||
        auth.secret === undefined
        ? undefined
        : signRequest({ auth, serverUrl }, undefined, allow);
    if (signing.accounts === "own") return undefined;
    const value = await accounts.use(signing, SHARED, signal);
    return value === undefined ? undefined : signRequest(signing, value, allow);
  }
}

function of({ id, tenantId }: ConnectionRow) {
  return and(eq(apiConnections.id, id), eq(apiConnections.tenantId, tenantId));
}

/** What is stored of a document; the operations are rows of their own. */
export function toStored(source: ApiSource, document: ApiDocument, now = Date.now()) {
  const { kind, formatVersion, title, version, servers, signIns, notes, operations } = document;
  const sourceUrl = source.type === "text" ? null : source.url;
  return {
    sourceType: source.type,
    sourceUrl,
    document: {
      ...{ kind, formatVersion, title, version, servers, signIns, notes },
      hash: hashJson({ operations, servers, signIns }),
    },
    readAt: new Date(now),
    lastError: null,
    failures: 0,
    nextCheckAt: sourceUrl === null ? null : new Date(now + CHECK_MS),
  };
}
