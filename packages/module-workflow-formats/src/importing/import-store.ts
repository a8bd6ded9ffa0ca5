import { isObject, type JsonObject, setOwn } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition, ImportReport, StoredImport } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
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
    const originals = originalsIn(definition);
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

/** What each placeholder of a definition was set to in its own product, by the id of its state. */
function originalsIn(definition: ForeignDraft["definition"]): JsonObject {
  const originals: JsonObject = {};
  const look = (states: Definition["states"]): void => {
    for (const [id, { invoke, states: inner, loop }] of Object.entries(states)) {
      const original = invoke?.src === "core.placeholder" ? invoke.input?.original : undefined;
      if (isObject(original) && original.$literal !== undefined) setOwn(originals, id, original.$literal);
      if (inner !== undefined) look(inner);
      if (loop !== undefined) look(loop.bodyStates);
    }
  };
  look((definition as unknown as Definition).states); // cast: importers build it
  return originals;
}

function shortened(report: ImportReport): ImportReport {
  if (JSON.stringify(report).length <= MOST) return report;
  return { ...report, elements: report.elements.filter(({ outcome }) => outcome !== "mapped") };
}
