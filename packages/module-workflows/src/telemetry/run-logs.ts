import type { JsonObject } from "@oven/contract";
import type { RunEventName } from "@oven/contract/run";
import type { RunCommit, RunRecord } from "@oven/engine";
import type { RunObserver } from "./observe-runs.ts";

/** Takes one line, without its end. */
export type WriteLine = (line: string) => void;

const MESSAGES: Partial<Record<RunEventName, { level: string; message: string }>> = {
  "execution.started": { level: "info", message: "run started" },
  "execution.paused": { level: "info", message: "run paused" },
  "execution.resumed": { level: "info", message: "run resumed" },
  "execution.undoing": { level: "warn", message: "run undoes its steps" },
  "execution.completed": { level: "info", message: "run completed" },
  "execution.failed": { level: "error", message: "run failed" },
  "execution.cancelled": { level: "info", message: "run cancelled" },
  "node.failed": { level: "warn", message: "node failed" },
};

/**
 * One line of JSON for what happens to runs, each with the run's ids. Of what runs work on only error codes and the messages
 * of `log` are written, never inputs, outputs or `data`.
 */
export class RunLogs implements RunObserver {
  readonly #write: WriteLine;

  constructor(write: WriteLine) {
    this.#write = write;
  }

  onCommitted({ id, kind, workflowId, tenantId }: RunRecord, { events, columns }: RunCommit): void {
    for (const { event, at, fields } of events) {
      const said = event === "log" ? { level: fields.level ?? "info", message: fields.message ?? "" } : MESSAGES[event];
      if (said === undefined) continue;
      const line = {
        time: at,
        ...said,
        event,
        executionId: id,
        kind,
        workflowId,
        tenantId,
        ...detailsOf(event, fields),
      };
      const error = event === "execution.failed" ? { errorCode: columns.errorInfo?.code ?? null } : {};
      this.#write(JSON.stringify({ ...line, ...error }));
    }
  }
}

function detailsOf(event: RunEventName, fields: JsonObject): JsonObject {
  const { nodeId, nodeType, visit, attempt, durationMs } = fields;
  const known = Object.entries({ nodeId, nodeType, visit, attempt, durationMs }).filter(
    ([, value]) => value !== undefined,
  );
  return event.startsWith("node.") || event === "log" ? (Object.fromEntries(known) as JsonObject) : {}; // cast: what is undefined was left out
}
