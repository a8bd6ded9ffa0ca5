import { OvenError, type Principal } from "@oven/contract";
import {
  type ChangeTestData,
  MAX_PINS,
  MAX_SAVED_INPUTS,
  TEST_DATA_LIMIT,
  type TestData,
} from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq, sql } from "@oven/db/drizzle";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import type { RunKind } from "../runtime/run-kinds.ts";

/** Inputs under a name and pinned outputs of each workflow, shared by its editors. */
export class TestDataService {
  readonly #db: Database;
  readonly #kind: RunKind;
  readonly #workflows: WorkflowService;

  constructor({ db, kind, workflows }: { db: Database; kind: RunKind; workflows: WorkflowService }) {
    this.#db = db;
    this.#kind = kind;
    this.#workflows = workflows;
  }

  /** @throws OvenError NOT_FOUND when there is no such workflow */
  async get(principal: Principal, idOrSlug: string): Promise<TestData> {
    const { id } = await this.#workflows.get(principal, idOrSlug);
    const { testData } = this.#kind.tables;
    const [row] = await this.#db.orm
      .select({ inputs: testData.inputs, pins: testData.pins })
      .from(testData)
      .where(and(eq(testData.workflowId, id), eq(testData.tenantId, principal.tenantId)));
    return row ?? { inputs: {}, pins: {} };
  }

  /**
   * Of two at once both count, name by name.
   * @throws OvenError NOT_FOUND, SHARED_WORKFLOW 403, TEST_DATA_FULL 422
   */
  async change(principal: Principal, idOrSlug: string, change: ChangeTestData): Promise<TestData> {
    const { id, name } = await this.#workflows.getOwn(principal, idOrSlug);
    const { testData } = this.#kind.tables;
    const own = eq(testData.workflowId, id);
    return this.#db.transaction(async (tx) => {
      await tx.orm
        .insert(testData)
        .values({ tenantId: principal.tenantId, workflowId: id, inputs: {}, pins: {} })
        .onConflictDoNothing();
      const [before = { inputs: {}, pins: {} }] = await tx.orm
        .select({ inputs: testData.inputs, pins: testData.pins })
        .from(testData)
        .where(own)
        .for("update");
      const next = { inputs: merge(before.inputs, change.inputs), pins: merge(before.pins, change.pins) };
      requireRoom(name, next);
      await tx.orm
        .update(testData)
        .set({ ...next, updatedBy: principal.userId, updatedAt: sql`now()` })
        .where(own);
      return next;
    });
  }
}

function merge<Value>(
  before: Readonly<Record<string, Value>>,
  change: Readonly<Record<string, Value | null>> = {},
): Record<string, Value> {
  const next = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return Object.fromEntries(next);
}

function requireRoom(name: string, { inputs, pins }: TestData): void {
  const full = (what: string): OvenError =>
    new OvenError("TEST_DATA_FULL", `${name} has ${what}`, {
      status: 422,
      fix: "Remove inputs or pins that are not needed any more.",
    });
  if (Object.keys(inputs).length > MAX_SAVED_INPUTS) throw full(`more than ${MAX_SAVED_INPUTS} inputs`);
  if (Object.keys(pins).length > MAX_PINS) throw full(`more than ${MAX_PINS} pinned outputs`);
  const bytes = Buffer.byteLength(JSON.stringify({ inputs, pins }));
  if (bytes > TEST_DATA_LIMIT) throw full(`${bytes} bytes of inputs and pins, and may have ${TEST_DATA_LIMIT}`);
}
