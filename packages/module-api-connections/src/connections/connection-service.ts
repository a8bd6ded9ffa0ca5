import { isOvenError, type ListParams, notFound, OvenError, type Principal } from "@oven/contract";
import type {
  ApiConnection,
  ApiDocument,
  ApiInspection,
  ApiOperationState,
  ApiSource,
  CreateApiConnection,
  UpdateApiConnection,
} from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { hashJson } from "@oven/engine";
import { NOT_APPROVED, PINNED_STATE_SQL, type TenantTools } from "@oven/module-agent-core";
import { listRows, type ServiceMap } from "@oven/module-registry";
import { type AccountStore, SHARED } from "../accounts/account-store.ts";
import { operationsChanged } from "../operations/operation-events.ts";
import { storeOperations } from "../operations/store-operations.ts";
import { apiConnections, apiOperations, apiSignIns } from "../schema.ts";
import { type ConnectionRow, NO_OPERATIONS, type OperationCounts, toConnection } from "./connection-row.ts";
import { type Readings, toStored } from "./readings.ts";

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "outbound" | "events">;
  store: AccountStore;
  catalogue: TenantTools;
  readings: Readings;
}

const FIELDS = [
  ...["name", "title", "serverUrl", "auth", "accounts", "timeoutMs", "maxBytes"],
  ...["callsPerMinute", "callsPerDay", "enabled"],
] as const;

/** Connections as people see and change them. */
export class ConnectionService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(principal: Principal, params: ListParams): Promise<{ rows: ApiConnection[]; total: number }> {
    const { id, name, enabled, readAt, createdAt, updatedAt, tenantId } = apiConnections;
    const { rows, total } = await listRows(this.#orm, principal, params, {
      table: apiConnections,
      fields: { id, name, enabled, readAt, createdAt, updatedAt },
      search: [name],
      tenant: tenantId,
    });
    return { rows: await Promise.all(rows.map((row) => this.#shown(row))), total };
  }

  /** @throws OvenError NOT_FOUND, also for rows of other tenants */
  async get(principal: Principal, id: number): Promise<ApiConnection> {
    return this.#shown(await this.row(principal, id));
  }

  /** What a document says; what is wrong with it is in the answer, and nothing is stored. */
  async inspect({ tenantId }: Principal, source: ApiSource, signal: AbortSignal): Promise<ApiInspection> {
    try {
      return toInspection(await this.#deps.readings.read(source, { tenantId }, signal));
    } catch (error) {
      if (!isOvenError(error)) throw error;
      return { ...EMPTY, ok: false, error: error.message, fix: error.fix ?? null };
    }
  }

  /** @throws OvenError API_DOCUMENT_UNREADABLE, UNIQUE_VIOLATION, OUTBOUND_* */
  async create(principal: Principal, body: CreateApiConnection, signal: AbortSignal): Promise<ApiConnection> {
    const { tenantId, userId } = principal;
    const { source, serverUrl: given, ...settings } = body;
    const signing = given === undefined ? { tenantId } : { tenantId, auth: body.auth, serverUrl: given };
    const document = await this.#deps.readings.read(source, signing, signal);
    const serverUrl = given ?? document.servers[0]?.url;
    if (serverUrl === undefined)
      throw new OvenError("API_DOCUMENT_UNREADABLE", "The document does not say where the API is", {
        status: 422,
        path: "$.serverUrl",
        fix: "Give the address of the API as `serverUrl`.",
      });
    const values = { ...pick(settings), serverUrl, ...toStored(source, document), tenantId, createdBy: userId };
    const row = await this.#deps.db.transaction(async (tx) => {
      const [made] = await tx.orm
        .insert(apiConnections)
        .values(values as typeof apiConnections.$inferInsert) // cast: every setting has a default
        .returning();
      if (made === undefined) throw new Error("an insert answered no row");
      await storeOperations(tx, made, document.operations);
      return made;
    });
    return this.#shown(row);
  }

  /** @throws OvenError NOT_FOUND, API_DOCUMENT_UNREADABLE, OUTBOUND_* */
  async update(
    principal: Principal,
    id: number,
    body: UpdateApiConnection,
    signal: AbortSignal,
  ): Promise<ApiConnection> {
    const before = await this.row(principal, id);
    const { source } = body;
    const changes = pick(body);
    const after = { ...before, ...changes };
    const document = source && (await this.#deps.readings.read(source, after, signal));
    const [here, there] = [new URL(before.serverUrl), new URL(after.serverUrl)];
    const isMoved = here.href.replace(/\/$/, "") !== there.href.replace(/\/$/, "");
    const isSignedOut =
      here.origin !== there.origin ||
      hashJson({ ...after.auth }) !== hashJson({ ...before.auth }) ||
      after.accounts !== before.accounts;
    const isListedAnew = document !== undefined || isMoved || after.name !== before.name;
    const operations = document?.operations ?? (isListedAnew ? await this.#listed(principal, id) : []);
    const { events } = this.#deps.services;
    await this.#deps.db.transaction(async (tx) => {
      await tx.orm
        .update(apiConnections)
        .set({
          ...changes,
          ...(document === undefined ? {} : toStored(source as ApiSource, document)), // cast: a document has its source
          updatedAt: sql`now()`,
        })
        .where(owned(principal, id));
      // A sign-in that is under way would bring the code of one service to another.
      if (isSignedOut) await tx.orm.delete(apiSignIns).where(signInsOf(principal, id));
      // What is approved is approved for one address: services of several parties can share an origin.
      if (isMoved) await tx.orm.update(apiOperations).set(NOT_APPROVED).where(operationsOf(principal, id));
      if (!isListedAnew) return;
      const tools = await storeOperations(tx, after, operations);
      if (tools.length > 0) await events.write(tx, [operationsChanged(after, tools)]);
    });
    events.wake();
    if (isSignedOut) await this.#deps.store.forgetAll({ tenantId: principal.tenantId, connectionId: id });
    await this.#deps.catalogue.refresh();
    return this.get(principal, id);
  }

  /** @throws OvenError NOT_FOUND */
  async delete(principal: Principal, id: number): Promise<void> {
    await this.row(principal, id);
    const { tenantId } = principal;
    await this.#deps.db.transaction(async ({ orm }) => {
      await orm.delete(apiOperations).where(operationsOf(principal, id));
      await orm.delete(apiSignIns).where(signInsOf(principal, id));
      await orm.delete(apiConnections).where(owned(principal, id));
    });
    await this.#deps.store.forgetAll({ tenantId, connectionId: id });
    await this.#deps.catalogue.refresh();
  }

  /** Reads the document again. What goes wrong is in the answer. @throws OvenError NOT_FOUND, API_DOCUMENT_UNREADABLE */
  async refresh(principal: Principal, id: number, signal: AbortSignal): Promise<ApiConnection> {
    const row = await this.row(principal, id);
    if (!row.enabled)
      throw new OvenError("API_DOCUMENT_UNREADABLE", `${row.name} is disabled, so its document is not asked for`, {
        status: 409,
        fix: "Enable it first.",
      });
    if (row.sourceUrl === null)
      throw new OvenError("API_DOCUMENT_UNREADABLE", "The document was sent, so it cannot be asked for again", {
        status: 409,
        fix: "Send the newer document as `source`.",
      });
    await this.#deps.readings.refresh(row, signal);
    await this.#deps.catalogue.refresh();
    return this.get(principal, id);
  }

  async row({ tenantId }: Pick<Principal, "tenantId">, id: number): Promise<ConnectionRow> {
    const [row] = await this.#orm.select().from(apiConnections).where(owned({ tenantId }, id));
    if (row === undefined) throw notFound("API connection", id);
    return row;
  }

  get #orm() {
    return this.#deps.db.orm;
  }

  async #listed(principal: Principal, id: number) {
    const rows = await this.#orm
      .select({ listed: apiOperations.listed })
      .from(apiOperations)
      .where(and(operationsOf(principal, id), sql`${apiOperations.vanishedAt} is null`));
    return rows.map(({ listed }) => listed);
  }

  async #shown(row: ConnectionRow): Promise<ApiConnection> {
    const counted = await this.#deps.db.query<{ state: ApiOperationState; count: number }>(
      `select ${PINNED_STATE_SQL} as state, count(*)::int as count
       from api_operations where connection_id = $1 and tenant_id = $2 group by 1`,
      [row.id, row.tenantId],
    );
    const counts: OperationCounts = {
      ...NO_OPERATIONS,
      ...Object.fromEntries(counted.map(({ state, count }) => [state, count])),
    };
    return toConnection(row, counts, await this.#signedIn(row));
  }

  async #signedIn({ id, tenantId, auth, accounts }: ConnectionRow): Promise<boolean | null> {
    if (accounts === "own" || auth.type !== "oauth") return null;
    return (await this.#deps.store.find({ tenantId, connectionId: id, userId: SHARED })) !== undefined;
  }
}

type Settings = Pick<ConnectionRow, (typeof FIELDS)[number]>;

/** Only what may be set, and only what was given. */
function pick(body: { [key in keyof Settings]?: Settings[key] | undefined }): Partial<Settings> {
  return Object.fromEntries(FIELDS.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
}

function owned({ tenantId }: Pick<Principal, "tenantId">, id: number) {
  return and(eq(apiConnections.id, id), eq(apiConnections.tenantId, tenantId));
}

function signInsOf({ tenantId }: Principal, id: number) {
  return and(eq(apiSignIns.connectionId, id), eq(apiSignIns.tenantId, tenantId));
}

function operationsOf({ tenantId }: Principal, id: number) {
  return and(eq(apiOperations.connectionId, id), eq(apiOperations.tenantId, tenantId));
}

const EMPTY: ApiInspection = {
  ...{ ok: true, error: null, fix: null, kind: null, title: "", version: "", description: "" },
  ...{ servers: [], signIns: [], operations: [], notes: [] },
};

function toInspection(document: ApiDocument): ApiInspection {
  const { kind, title, version, description, servers, signIns, operations, notes } = document;
  return {
    ...EMPTY,
    ...{ kind, title, version, description, servers, signIns, notes },
    operations: operations.map((operation) => {
      const { name, title, description, method, path, tags, deprecated, reads, problem } = operation;
      return { name, title, description, method, path, tags, deprecated, reads, problem };
    }),
  };
}
