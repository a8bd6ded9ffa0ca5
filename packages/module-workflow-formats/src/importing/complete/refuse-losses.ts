import { type JsonObject, OvenError } from "@oven/contract";
import type { Definition, ImportReport } from "@oven/contract/workflow";
import { findLosses } from "./find-losses.ts";
import type { SourceGraph } from "./source-graph.ts";

/** Refuses an import that lost something on the way. @throws OvenError IMPORT_INCOMPLETE with each place in the document */
export function refuseLosses(source: SourceGraph, definition: JsonObject, report: ImportReport): void {
  // cast: made of states by `toDefinition`, and validated where it is made a workflow
  const problems = findLosses({ source, definition: definition as unknown as Definition, report });
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new OvenError("IMPORT_INCOMPLETE", `This document cannot be imported as a whole: ${first.message}${more}`, {
    status: 422,
    path: first.path,
    fix: first.fix,
    details: { problems: problems.map((problem): JsonObject => ({ ...problem })) },
  });
}
