import { isOvenError, type JsonObject, type Principal } from "@oven/contract";
import type { AuditTrail } from "@oven/module-registry";

/** A call of a tool that writes or runs something, and what came of it. */
interface WritingCall {
  name: string;
  principal: Principal;
  args: JsonObject;
  executionId: number;
  workflowId: number;
}

/**
 * Makes a call and writes into the audit log who did it: the person, through the assistant in a run.
 * @throws what the call throws, after it was written down
 */
export async function recordCall<T>(
  trail: AuditTrail | undefined,
  call: WritingCall,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    await trail?.record(toRecord(call, undefined));
    return result;
  } catch (error) {
    await trail?.record(toRecord(call, error));
    throw error;
  }
}

function toRecord(
  { name, principal, args, executionId, workflowId }: WritingCall,
  error: unknown,
): Parameters<AuditTrail["record"]>[0] {
  const refused = isOvenError(error) ? error : undefined;
  const status = error === undefined ? 200 : (refused?.status ?? 500);
  return {
    tenantId: principal.tenantId,
    action: `assistant ${name} (run ${executionId})`,
    outcome: status < 400 ? "done" : status < 500 ? "refused" : "failed",
    status,
    errorCode: refused?.code ?? null,
    actorKind: principal.kind,
    userId: principal.userId,
    keyId: principal.keyId ?? null,
    targetType: "agent-workflows",
    targetId: String(workflowId),
    targetVersion: null,
    arguments: args,
    address: null,
    userAgent: null,
  };
}
