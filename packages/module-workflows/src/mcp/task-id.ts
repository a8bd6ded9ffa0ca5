import { createHmac, timingSafeEqual } from "node:crypto";

const TASK_ID = /^run-([1-9]\d{0,14})-([A-Za-z0-9_-]{43})$/;

/** A run as a task. Nothing is stored for it: every process that has the root secret reads it again, also after a restart. */
export interface RunOfTask {
  tenantId: number;
  executionId: number;
}

/** The name of a run for clients that follow it as a task. It cannot be guessed; it says nothing about who may see the run. */
export function toTaskId(run: RunOfTask, signingKey: Uint8Array): string {
  return `run-${run.executionId}-${macOf(run, signingKey).toString("base64url")}`;
}

/** @returns the run's id; undefined for what this server has not handed out in this tenant */
export function readTaskId(taskId: string, tenantId: number, signingKey: Uint8Array): number | undefined {
  const [, id, mac] = TASK_ID.exec(taskId) ?? [];
  if (id === undefined || mac === undefined) return undefined;
  const executionId = Number(id);
  const given = Buffer.from(mac, "base64url");
  const expected = macOf({ tenantId, executionId }, signingKey);
  return given.length === expected.length && timingSafeEqual(given, expected) ? executionId : undefined;
}

/** The name of the purpose keeps it apart from everything else that the key signs. */
function macOf({ tenantId, executionId }: RunOfTask, signingKey: Uint8Array): Buffer {
  return createHmac("sha256", signingKey).update(`oven/mcp-task ${tenantId} ${executionId}`).digest();
}
