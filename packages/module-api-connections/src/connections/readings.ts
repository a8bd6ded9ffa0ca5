import type { ApiAuth, ApiDocument, ApiSource } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, inArray } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { claimDue, toFailure, untilNextCheck } from "@oven/module-agent-core";
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
const BACKOFF = { firstMs: 300_000, mostMs: CHECK_MS };
const AT_ONCE = 2;

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "outbound" | "events" | "secrets">;
  accounts: Accounts;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
}

/** A connection that may not be stored yet. */
type Signing = { tenantId: number; auth?: ApiAuth; serverUrl?: string } | ConnectionRow;

/** Reads documents: of new connections, on request, and by itself each day. */
export class Readings {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = { ...deps, db: deps.db.system };
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
    const ids = await claimDue(this.#deps.db, "api_connections", AT_ONCE);
    const due = await this.#deps.db.orm.select().from(apiConnections).where(inArray(apiConnections.id, ids));
    for (const row of due) await this.refresh(row, signal);
  }

  /** Milliseconds until the next reading; undefined: none. */
  async untilNext(): Promise<number | undefined> {
    return untilNextCheck(this.#deps.db, "api_connections");
  }

  async #store(row: ConnectionRow, source: ApiSource, document: ApiDocument): Promise<void> {
    const { db, services } = this.#deps;
    const changed = await db.transaction(async (tx) => {
      const tools = await storeOperations(tx, row, document.operations);
      await tx.orm.update(apiConnections).set(toStored(source, document)).where(of(row));
      if (tools.length > 0) await services.events.write(tx, [operationsChanged(row, tools)]);
      return tools.length > 0;
    });
    if (changed) services.events.wake();
  }

  async #failed(row: ConnectionRow, error: unknown): Promise<void> {
    const failure = toFailure(this.#deps.services.secrets, row, error, BACKOFF);
    await this.#deps.db.orm.update(apiConnections).set(failure).where(of(row));
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
export function toStored(source: ApiSource, document: ApiDocument) {
  const { kind, formatVersion, title, version, servers, signIns, notes, operations } = document;
  const sourceUrl = source.type === "text" ? null : source.url;
  return {
    sourceType: source.type,
    sourceUrl,
    document: {
      ...{ kind, formatVersion, title, version, servers, signIns, notes },
      hash: hashJson({ operations, servers, signIns }),
    },
    readAt: new Date(),
    lastError: null,
    failures: 0,
    nextCheckAt: sourceUrl === null ? null : new Date(Date.now() + CHECK_MS),
  };
}
