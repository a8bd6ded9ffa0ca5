import type { EvalCase, EvalDataset, NewEvalCase } from "@oven/contract/eval";
import type { evalCases, evalDatasets } from "../schema.ts";

export type DatasetRow = typeof evalDatasets.$inferSelect;
export type CaseRow = typeof evalCases.$inferSelect;

export function toDataset(row: DatasetRow, cases: number): EvalDataset {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    target: { kind: row.targetKind, id: row.targetId },
    allowEffects: row.allowEffects,
    timeoutMs: row.timeoutMs,
    cases,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toCase(row: CaseRow): EvalCase {
  return {
    id: row.id,
    datasetId: row.datasetId,
    ...toNewCase(row),
    position: row.position,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What a case is made of, as files have it. */
export function toNewCase({ name, input, expectations, decisions, pins, tags, enabled }: CaseRow): NewEvalCase {
  return { name, input, expectations, decisions, pins: pins ?? null, tags, enabled };
}
