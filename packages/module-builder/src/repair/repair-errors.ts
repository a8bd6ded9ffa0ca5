import { OvenError } from "@oven/contract";

/** @returns OvenError REPAIR_UNDER_WAY 409 with the run in `details.executionId` */
export function repairUnderWay(executionId: number): OvenError {
  return new OvenError("REPAIR_UNDER_WAY", `Run ${executionId} repairs this failure already`, {
    status: 409,
    fix: `Look at run ${executionId}, or cancel it and start again.`,
    details: { executionId },
  });
}

/** @returns OvenError FAILURES_DIFFER 422 */
export function failuresDiffer(one: number, other: number, what: string): OvenError {
  return new OvenError("FAILURES_DIFFER", `Runs ${one} and ${other} ${what}`, {
    status: 422,
    path: "$.runIds",
    fix: "Repair runs that failed in the same way; GET /api/agent-workflow-executions/failures has them in groups.",
  });
}

/** @returns OvenError NOT_REPAIRABLE 409 */
export function notRepairable(message: string, fix: string): OvenError {
  return new OvenError("NOT_REPAIRABLE", message, { status: 409, path: "$.runIds", fix });
}
