import { type DataSchema, type JsonObject, type ListParams, notFound, type Principal } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import type {
  ApiConnectionOperation,
  ApiConnectionOperationDetail,
  ApproveApiOperations,
  ApprovedApiOperations,
} from "@oven/contract/api";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import { requireCondition } from "@oven/engine";
import { approvePinned, NOT_APPROVED, PINNED_STATE_SQL, type TenantTools, tryPinned } from "@oven/module-agent-core";
import { listRows, type ServiceMap } from "@oven/module-registry";
import type { ConnectionService } from "../connections/connection-service.ts";
import { apiOperations } from "../schema.ts";
import type { OperationCaller } from "./operation-caller.ts";
import { type OperationRow, toDetail, toOperation } from "./operation-row.ts";

interface Deps {
  db: Database;
  connections: ConnectionService;
  catalogue: TenantTools;
  caller: OperationCaller;
  services: Pick<ServiceMap, "secrets" | "tools">;
}

/** Operations of connections: looked at, approved, and tried by hand. */
export class OperationService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `filter.state`: one of the states; `filter.reads`: whether it only reads; `filter.q`: words of name, path or title. */
  async list(
    principal: Principal,
    connectionId: number,
    params: ListParams,
  ): Promise<{ rows: ApiConnectionOperation[]; total: number }> {
    await this.#deps.connections.row(principal, connectionId);
    const { id, name, tenantId, problem } = apiOperations;
    const { state, reads, q, ...filter } = params.filter;
    const words = typeof q === "string" ? q.trim() : "";
    const where = and(
      eq(apiOperations.connectionId, connectionId),
      state === undefined ? undefined : sql`${sql.raw(PINNED_STATE_SQL)} = ${String(state)}`,
      reads === undefined ? undefined : sql`(${apiOperations.listed}->>'reads')::boolean = ${reads === true}`,
      words === ""
        ? undefined
        : sql`(${name} || ' ' || (${apiOperations.listed}->>'path') || ' ' || (${apiOperations.listed}->>'title')) ilike ${`%${words.replace(/[\\%_]/g, "\\$&")}%`}`,
    );
    const { rows, total } = await listRows(
      this.#deps.db.orm,
      principal,
      { ...params, filter },
      { table: apiOperations, fields: { id, name, problem }, tenant: tenantId, ...(where ? { where } : {}) },
    );
    return { rows: rows.map(toOperation), total };
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, connectionId: number, id: number): Promise<ApiConnectionOperationDetail> {
    return toDetail(await this.#row(principal, connectionId, id));
  }

  /** Those that are no longer what was looked at are named in the answer. @throws OvenError NOT_FOUND */
  async approve(
    principal: Principal,
    connectionId: number,
    { operations, ...decision }: ApproveApiOperations,
  ): Promise<ApprovedApiOperations> {
    if (decision.approvalWhen !== null) requireCondition(decision.approvalWhen, "$.approvalWhen");
    await this.#deps.connections.row(principal, connectionId);
    const approval = { ...decision, rows: operations };
    const outcome = await approvePinned(this.#deps.db, "api_operations", principal, connectionId, approval);
    await this.#deps.catalogue.refresh();
    return outcome;
  }

  /** @throws OvenError NOT_FOUND */
  async withdraw(principal: Principal, connectionId: number, id: number): Promise<ApiConnectionOperation> {
    await this.#row(principal, connectionId, id);
    await this.#deps.db.orm
      .update(apiOperations)
      .set(NOT_APPROVED)
      .where(of(principal, connectionId, id));
    await this.#deps.catalogue.refresh();
    return toOperation(await this.#row(principal, connectionId, id));
  }

  /**
   * One call, by hand; an approved operation only. What goes wrong is in the answer.
   * @throws OvenError APPROVAL_NEEDED where each call needs a review
   */
  async tryOperation(
    principal: Principal,
    connectionId: number,
    id: number,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<TriedTool> {
    const row = await this.#row(principal, connectionId, id);
    const { services, caller } = this.#deps;
    const call = caller.call.bind(caller);
    return tryPinned(services, row, { principal, signal, arguments: args, call });
  }

  /** Where a call by hand has its arguments, and what they are checked by. @throws OvenError NOT_FOUND */
  async dataSchema(principal: Principal, connectionId: number, id: number): Promise<DataSchema> {
    const { approved } = await this.#row(principal, connectionId, id);
    return { at: ["arguments"], schema: approved?.inputSchema };
  }

  async #row(principal: Principal, connectionId: number, id: number): Promise<OperationRow> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(apiOperations)
      .where(of(principal, connectionId, id));
    if (row === undefined) throw notFound("operation of the API connection", id);
    return row;
  }
}

function of({ tenantId }: Principal, connectionId: number, id: number) {
  return and(
    eq(apiOperations.id, id),
    eq(apiOperations.connectionId, connectionId),
    eq(apiOperations.tenantId, tenantId),
  );
}
