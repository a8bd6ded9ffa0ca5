import { OvenError } from "@oven/contract";

/*
 * How a run is marked whose details were removed: `context_seq`, otherwise the number of a log entry, is negative, and
 * `context` says since when.
 */

/** The details are being removed; a worker that stops halfway leaves this. */
export const REMOVING = -1;
export const REMOVED = -2;

/** What stands in the context of such a run. */
export interface RemovedDetails {
  at: string;
  afterDays: number;
}

export function toRemovedContext(removed: RemovedDetails): { detailsRemoved: RemovedDetails } {
  return { detailsRemoved: removed };
}

/** Since when a run's details are gone; undefined while they are there. */
function removedDetails(run: { contextSeq: number; context: unknown }): RemovedDetails | undefined {
  if (run.contextSeq >= 0) return undefined;
  return (run.context as { detailsRemoved: RemovedDetails }).detailsRemoved; // cast: written together with the mark
}

/** For what needs a run's log: retry, fork, replay, export. @throws OvenError DETAILS_REMOVED 409 */
export function requireDetails(run: { id: number; contextSeq: number; context: unknown }): void {
  const removed = removedDetails(run);
  if (removed === undefined) return;
  throw new OvenError(
    "DETAILS_REMOVED",
    `The details of execution ${run.id} were removed after ${removed.afterDays} days`,
    {
      status: 409,
      fix: "Start a new run with the same input. RETENTION_RUN_DETAIL_DAYS says how long details are kept.",
      details: { at: removed.at, afterDays: removed.afterDays },
    },
  );
}
