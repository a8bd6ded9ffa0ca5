import { type JsonObject, setOwn } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { ImportReport, StoredImport } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import { findState, getAt } from "@oven/scope";
import { workflowImports } from "../shared/tables/workflow-imports.table.ts";
import type { ForeignDraft } from "./read-foreign.ts";

/** Characters of JSON. What is longer is stored without the elements that were taken over without a note. */
const MOST = 1_000_000;

interface ImportedWorkflow {
  tenantId: number;
  kind: ExecutionKind;
  workflowId: number;
}

/** Reports of imports, by the workflow that each has made. */
export class ImportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async save(of: ImportedWorkflow, { product, productTitle, report, definition }: ForeignDraft): Promise<void> {
    const originals = originalsIn(definition, report);
    const isLong = JSON.stringify(originals).length > MOST;
    await this.#db.orm
      .insert(workflowImports)
      .values({ ...of, product, productTitle, report: shortened(report), originals: isLong ? {} : originals });
  }

  /** The import that made a workflow, which the caller may read; empty: none did. */
  async of(kind: ExecutionKind, workflowId: number): Promise<StoredImport[]> {
    const rows = await this.#db.orm
      .select()
      .from(workflowImports)
      .where(and(eq(workflowImports.kind, kind), eq(workflowImports.workflowId, workflowId)));
    return rows.map(({ product, productTitle, report, originals, createdAt }) => ({
      ...{ kind, workflowId, product, productTitle, report, originals },
      createdAt: createdAt.toISOString(),
    }));
  }

  async forget(kind: ExecutionKind, workflowId: number): Promise<void> {
    await this.#db.orm
      .delete(workflowImports)
      .where(and(eq(workflowImports.kind, kind), eq(workflowImports.workflowId, workflowId)));
  }
}

/** What each placeholder of a definition was set to in its own product. */
function originalsIn(definition: JsonObject, { elements }: ImportReport): JsonObject {
  const originals: JsonObject = {};
  for (const { state, outcome } of elements) {
    if (state === null || outcome !== "placeholder") continue;
    const original = getAt(findState(definition, state)?.state ?? {}, ["invoke", "input", "original", "$literal"]);
    if (original !== undefined) setOwn(originals, state, original);
  }
  return originals;
}

function shortened(report: ImportReport): ImportReport {
  if (JSON.stringify(report).length <= MOST) return report;
  return { ...report, elements: report.elements.filter(({ outcome }) => outcome !== "mapped") };
}
