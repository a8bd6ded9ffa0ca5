import { type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { ExecutionStatus } from "@oven/contract/run";
import { isTerminal } from "@oven/contract/run";
import type { RepairEvidence, RepairStatus, RetriedRun } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, desc, eq, gte, sql } from "@oven/db/drizzle";
import { type ProposalRow, type RepairDecision, builderProposals as table } from "./builder-proposals.table.ts";
import { repairUnderWay } from "./repair-errors.ts";

export type NewProposal = Pick<
  ProposalRow,
  | "executionId"
  | "workflowId"
  | "workflowName"
  | "baseVersion"
  | "failure"
  | "failureKey"
  | "runIds"
  | "wholeGroup"
  | "automatic"
>;

/** Which repairs are meant: of a workflow, of one failure of a version of it, since a time. */
interface Which {
  workflowId?: number | undefined;
  baseVersion?: number;
  failureKey?: string;
  automatic?: true;
  since?: Date;
}

const MOST_LISTED = 200;

/** The rows of proposals. Everything is within the principal's tenant. */
export class ProposalRows {
  readonly #db: Database;
  readonly #statusOf: (principal: Principal, executionId: number) => Promise<ExecutionStatus | undefined>;

  /** @param statusOf how far a run is; undefined: it is gone */
  constructor(
    db: Database,
    statusOf: (principal: Principal, executionId: number) => Promise<ExecutionStatus | undefined>,
  ) {
    this.#db = db;
    this.#statusOf = statusOf;
  }

  /**
   * Begins a proposal, once for a run.
   * @throws OvenError REPAIR_UNDER_WAY 409 while another run repairs the same
   */
  async begin(principal: Principal, proposal: NewProposal): Promise<ProposalRow> {
    const { tenantId, userId: startedBy } = principal;
    await this.requireNone(principal, proposal);
    await this.#db.orm
      .insert(table)
      .values({ ...proposal, tenantId, startedBy })
      .onConflictDoNothing();
    const row = await this.find(principal, proposal.executionId);
    if (row !== undefined) return row;
    await this.requireNone(principal, proposal);
    throw new Error(`the proposal of run ${proposal.executionId} was not written`);
  }

  /**
   * Says no while another run repairs the same. One whose run has ended without a word holds nothing up.
   * @throws OvenError REPAIR_UNDER_WAY 409
   */
  async requireNone(
    principal: Principal,
    { workflowId, failureKey, executionId }: Pick<NewProposal, "workflowId" | "failureKey"> & { executionId?: number },
  ): Promise<void> {
    const [other] = await this.#db.orm
      .select()
      .from(table)
      .where(
        and(
          eq(table.tenantId, principal.tenantId),
          eq(table.workflowId, workflowId),
          eq(table.failureKey, failureKey),
          table.open,
        ),
      );
    if (other === undefined || other.executionId === executionId) return;
    const status = await this.#statusOf(principal, other.executionId);
    if (status !== undefined && !isTerminal(status)) throw repairUnderWay(other.executionId);
    await this.end(principal, other.executionId, { status: "ended" });
  }

  async find(principal: Principal, executionId: number): Promise<ProposalRow | undefined> {
    const [row] = await this.#db.orm.select().from(table).where(isOf(principal, executionId));
    return row;
  }

  /** @throws Error where the run has none: its steps are in another order than they must be */
  async get(principal: Principal, executionId: number): Promise<ProposalRow> {
    const row = await this.find(principal, executionId);
    if (row !== undefined) return row;
    throw new OvenError("REPAIR_NOT_BEGUN", `Run ${executionId} repairs nothing`, {
      status: 422,
      fix: "Put builder.gatherFailures before the other steps of a repair.",
    });
  }

  /** The newest first. */
  list(principal: Principal, which: Which): Promise<ProposalRow[]> {
    return this.#db.orm
      .select()
      .from(table)
      .where(isWhich(principal, which))
      .orderBy(desc(table.id))
      .limit(MOST_LISTED);
  }

  count(principal: Principal, which: Which): Promise<number> {
    return this.#db.orm.$count(table, isWhich(principal, which));
  }

  /**
   * Replaces the proposed definition of that revision. What was found of it before counts no more.
   * @returns undefined: it is of another revision, or no proposal is made any more
   */
  async save(
    principal: Principal,
    executionId: number,
    { definition, revision }: { definition: JsonObject; revision: number },
  ): Promise<ProposalRow | undefined> {
    const [row] = await this.#db.orm
      .update(table)
      .set({ definition, revision: sql`${table.revision} + 1`, evidence: null, updatedAt: sql`now()` })
      .where(and(isOf(principal, executionId), eq(table.revision, revision), eq(table.status, "working")))
      .returning();
    return row;
  }

  async note(
    principal: Principal,
    executionId: number,
    noted: {
      runIds?: number[];
      evidence?: RepairEvidence;
      explanation?: string;
      status?: RepairStatus;
      decision?: RepairDecision;
    },
  ): Promise<void> {
    await this.#db.orm
      .update(table)
      .set({ ...noted, updatedAt: sql`now()` })
      .where(isOf(principal, executionId));
  }

  /** Writes how it ended, and lets others repair the same. */
  async end(
    principal: Principal,
    executionId: number,
    end: { status: RepairStatus; reason?: string | null; publishedVersion?: number; retried?: RetriedRun[] },
  ): Promise<void> {
    await this.#db.orm
      .update(table)
      .set({ ...end, open: false, updatedAt: sql`now()` })
      .where(isOf(principal, executionId));
  }
}

function isOf({ tenantId }: Principal, executionId: number) {
  return and(eq(table.tenantId, tenantId), eq(table.executionId, executionId));
}

function isWhich({ tenantId }: Principal, { workflowId, baseVersion, failureKey, automatic, since }: Which) {
  return and(
    eq(table.tenantId, tenantId),
    workflowId === undefined ? undefined : eq(table.workflowId, workflowId),
    baseVersion === undefined ? undefined : eq(table.baseVersion, baseVersion),
    failureKey === undefined ? undefined : eq(table.failureKey, failureKey),
    automatic === undefined ? undefined : table.automatic,
    since === undefined ? undefined : gte(table.createdAt, since),
  );
}
