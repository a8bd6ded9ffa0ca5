import { isOvenError, type Json, type JsonObject, OvenError } from "@oven/contract";
import type { ApiOperation } from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { countCall, type ToolCallOptions, whyNotCalled } from "@oven/module-agent-core";
import { type ServiceMap, ToolInputNeeded } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import { type Accounts, ownerOf } from "../accounts/accounts.ts";
import { signRequest, usesAccount } from "../accounts/sign-request.ts";
import type { ConnectionRow } from "../connections/connection-row.ts";
import { apiConnections, apiOperations } from "../schema.ts";
import type { OperationRow } from "./operation-row.ts";
import { type ApiAnswer, sendRequest } from "./send-request.ts";

/** However much arrives, a call ends after so many times its longest silence. */
const TOTAL_SILENCES = 10;

interface Deps {
  db: Database;
  services: Pick<ServiceMap, "blobs" | "outbound" | "rates" | "secrets">;
  accounts: Accounts;
  publicUrl: string;
  /** Origins that the operator allows, also without encryption. */
  allow: readonly string[];
}

interface Found {
  operation: OperationRow;
  connection: ConnectionRow;
}

/** Calls operations of connected APIs: only as they were approved, within their connection's limits, with the right account. */
export class OperationCaller {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws OvenError API_OPERATION_NOT_APPROVED, API_CALL_LIMIT, API_SIGN_IN_NEEDED, API_CALL_FAILED, API_CALL_LOST, OUTBOUND_*, SECRET_*;
   * ToolInputNeeded where the caller has to connect their account first
   */
  async call(id: string, args: JsonObject, options: ToolCallOptions): Promise<Json> {
    const { tenantId } = options.principal;
    const found = await this.#find(id, tenantId);
    const operation = requireApproved(id, found);
    const { connection } = found;
    const account = await this.#account(id, connection, options);
    // After the account: a call that waits for one was not made yet.
    const { db, services } = this.#deps;
    const over = await countCall({ db, rates: services.rates }, "api_connections", connection);
    if (over !== undefined) throw new OvenError("API_CALL_LIMIT", over.message, over.options);
    try {
      return await this.#send(id, found, operation, args, options, account);
    } catch (error) {
      if (!isRefused(error) || account === undefined) throw error;
      // The API does not take the token: nothing was done, and a renewed one may serve.
      const renewed = await this.#account(id, connection, options, account);
      if (renewed === account) throw error;
      return await this.#send(id, found, operation, args, options, renewed);
    }
  }

  async #send(
    id: string,
    { connection, operation: { effect } }: Found,
    operation: ApiOperation,
    args: JsonObject,
    options: ToolCallOptions,
    account: string | undefined,
  ): Promise<Json> {
    const { signal, idempotencyKey, outside } = options;
    const timeoutMs = outside?.timeoutMs ?? connection.timeoutMs;
    const answer = await sendRequest(this.#deps.services, {
      ...{ id, operation, connection, arguments: args, effect, idempotencyKey, signal, timeoutMs },
      signature: signRequest(connection, account, this.#deps.allow),
      credential: account,
      maxTotalMs: outside?.maxTotalMs ?? timeoutMs * TOTAL_SILENCES,
    });
    return this.#toResult(id, answer, options);
  }

  /** Files are stored beside the run's rows. */
  async #toResult(id: string, { status, body, file }: ApiAnswer, { run, principal }: ToolCallOptions): Promise<Json> {
    if (file === undefined) return { status, body };
    const { executionId, nodeId, visit, item } = run ?? NO_RUN;
    const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
    const stored = await this.#deps.services.blobs.write(position, file.mediaType, file.bytes, `file of ${id}`);
    return { status, body: { blob: { ...stored } } };
  }

  /** The token or value that the call is signed in with; undefined where the connection's secret does that, or nothing. */
  async #account(
    id: string,
    connection: ConnectionRow,
    { principal, signal, run, answer }: ToolCallOptions,
    refused?: string,
  ): Promise<string | undefined> {
    if (!usesAccount(connection)) return undefined;
    const owner = ownerOf(connection, principal.userId);
    const value = owner === null ? undefined : await this.#deps.accounts.use(connection, owner, signal, refused);
    if (value !== undefined) return value;
    const name = connection.title ?? connection.name;
    if (connection.accounts === "shared" || owner === null)
      throw new OvenError(
        "API_SIGN_IN_NEEDED",
        owner === null
          ? `${id} is called as a person, and no person started this`
          : `No account is signed in at ${name}`,
        {
          status: 409,
          fix:
            owner === null
              ? "Start the run as a person, or with a key of one."
              : `Sign in at ${this.#deps.publicUrl}/api-connections/${connection.id}/show.`,
        },
      );
    if (answer?.action === "decline")
      throw new OvenError("API_SIGN_IN_NEEDED", `The account at ${name} was not connected`, {
        status: 409,
        fix: "Connect it, and run the step again.",
      });
    const link = `${this.#deps.publicUrl}/account?connect=${connection.id}`;
    if (run === undefined)
      throw new OvenError("API_SIGN_IN_NEEDED", `You have not connected your account at ${name}`, {
        status: 409,
        fix: `Connect it at ${link}.`,
      });
    throw new ToolInputNeeded({
      title: `Connect your account at ${name}`,
      schema: { type: "object", properties: {} },
      about: {
        tool: id,
        link,
        connection: connection.id,
        note: "The call is made with your own account. It goes on by itself once you have connected it.",
      },
      assignees: [`user:${owner}`],
    });
  }

  async #find(id: string, tenantId: number): Promise<Found> {
    const [found] = await this.#deps.db.system.orm
      .select({ operation: apiOperations, connection: apiConnections })
      .from(apiOperations)
      .innerJoin(apiConnections, eq(apiConnections.id, apiOperations.connectionId))
      .where(and(eq(apiOperations.toolId, id), eq(apiOperations.tenantId, tenantId)));
    if (found !== undefined) return found;
    throw new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
      status: 422,
      fix: "See the list of tools at /api/tools",
    });
  }
}

function isRefused(error: unknown): boolean {
  return isOvenError(error) && error.code === "API_CALL_FAILED" && error.details?.status === 401;
}

function requireApproved(id: string, { operation, connection }: Found): ApiOperation {
  const why = whyNotCalled(connection.enabled, operation, "its document");
  if (why === undefined && operation.approved !== null) return operation.approved;
  throw new OvenError("API_OPERATION_NOT_APPROVED", `${id} is not called: ${why}`, {
    status: 409,
    fix: `Those who may approve operations find it at /api-connections/${connection.id}/show.`,
  });
}
