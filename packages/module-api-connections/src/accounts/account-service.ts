import { OvenError, type Principal } from "@oven/contract";
import type { ApiAccount, ApiAccountOwner } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, asc, eq } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import type { ConnectionRow } from "../connections/connection-row.ts";
import type { ConnectionService } from "../connections/connection-service.ts";
import { apiConnections } from "../schema.ts";
import { type AccountStore, SHARED } from "./account-store.ts";
import type { SignInService } from "./sign-in-service.ts";

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "workflowPlatform">;
  connections: ConnectionService;
  store: AccountStore;
  signIns: SignInService;
}

/** Accounts that people connect for calls made as them. */
export class AccountService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Every connection that wants people's own accounts, and whether the caller has connected theirs. */
  async mine(principal: Principal): Promise<ApiAccount[]> {
    const rows = await this.#deps.db.orm
      .select()
      .from(apiConnections)
      .where(and(eq(apiConnections.tenantId, principal.tenantId), eq(apiConnections.accounts, "own")))
      .orderBy(asc(apiConnections.name));
    return Promise.all(
      rows.filter(({ enabled, auth }) => enabled && auth.type !== "none").map((row) => this.#shown(principal, row)),
    );
  }

  /** @throws OvenError NOT_FOUND, API_SIGN_IN_FAILED */
  async begin(principal: Principal, id: number): Promise<string> {
    const { row, userId } = await this.#own(principal, id);
    return this.#deps.signIns.begin(principal, row, userId);
  }

  /** Connects by a value that the person gives. @throws OvenError NOT_FOUND, API_SIGN_IN_FAILED */
  async connect(principal: Principal, id: number, value: string): Promise<ApiAccount> {
    const { row, userId } = await this.#own(principal, id);
    if (howOf(row) === "oauth")
      throw new OvenError("API_SIGN_IN_FAILED", `Accounts at ${row.name} are connected at the service's own page`, {
        status: 409,
        fix: "Sign in there.",
      });
    await this.#deps.store.write({ tenantId: row.tenantId, connectionId: id, userId }, { value });
    await this.goOn(principal, id);
    return this.#shown(principal, row);
  }

  /** @throws OvenError NOT_FOUND */
  async disconnect(principal: Principal, id: number): Promise<void> {
    const { row, userId } = await this.#own(principal, id);
    await this.#deps.store.forget({ tenantId: row.tenantId, connectionId: id, userId });
  }

  /** Who has connected an account. @throws OvenError NOT_FOUND */
  async owners(principal: Principal, id: number): Promise<ApiAccountOwner[]> {
    const { tenantId } = await this.#deps.connections.row(principal, id);
    const owners = await this.#deps.store.owners({ tenantId, connectionId: id });
    return owners.map(({ userId, at }) => ({ userId, connectedAt: at.toISOString() }));
  }

  /** Ends a person's account, or the shared one (0). @throws OvenError NOT_FOUND */
  async revoke(principal: Principal, id: number, userId: number): Promise<void> {
    const { tenantId } = await this.#deps.connections.row(principal, id);
    await this.#deps.store.forget({ tenantId, connectionId: id, userId });
  }

  /**
   * Runs that wait for this account of the person go on. They were only asked to connect it, so that answers the question; whether they
   * may decide reviews does not matter.
   */
  async goOn(principal: Principal, id: number): Promise<void> {
    const { reviews } = this.#deps.services.workflowPlatform;
    const { rows } = await reviews.list(principal, {
      filter: { status: "open", mine: true },
      sort: { field: "id", order: "ASC" },
      range: { first: 0, last: MOST_WAITING - 1 },
    });
    const mayAnswer = { ...principal, permissions: [...principal.permissions, "reviews.decide"] };
    for (const { id: reviewId, context, assignees, digest } of rows) {
      if (!isQuestionOf(context, id) || !assignees.includes(`user:${principal.userId}`)) continue;
      await reviews.decide(mayAnswer, reviewId, { action: "submit", data: {}, digest });
    }
  }

  async #own(principal: Principal, id: number): Promise<{ row: ConnectionRow; userId: number }> {
    const row = await this.#deps.connections.row(principal, id);
    if (row.accounts === "own" && principal.userId !== null && principal.userId !== SHARED)
      return { row, userId: principal.userId };
    throw new OvenError("API_SIGN_IN_FAILED", `${row.name} does not take people's own accounts`, {
      status: 409,
      fix: "Its account is shared: those who may change the connection sign in.",
    });
  }

  async #shown({ userId }: Principal, row: ConnectionRow): Promise<ApiAccount> {
    const { id, tenantId, name, title, serverUrl } = row;
    const found = userId === null ? undefined : await this.#deps.store.find({ tenantId, connectionId: id, userId });
    return {
      connectionId: id,
      connection: title ?? name,
      origin: new URL(serverUrl).origin,
      how: howOf(row),
      connected: found !== undefined,
      connectedAt: found?.row.updatedAt.toISOString() ?? null,
    };
  }
}

const MOST_WAITING = 100;

function howOf({ auth }: ConnectionRow): ApiAccount["how"] {
  return auth.type === "oauth" ? "oauth" : "value";
}

function isQuestionOf(context: unknown, connectionId: number): boolean {
  return (
    typeof context === "object" && context !== null && "connection" in context && context.connection === connectionId
  );
}
