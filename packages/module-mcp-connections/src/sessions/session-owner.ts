import type { Principal } from "@oven/contract";
import type { ServiceMap, ToolRun } from "@oven/module-registry";

/** Whose calls of a server are made in one session. */
export interface SessionOwner {
  /** Unique within the tenant. */
  key: string;
  /** Its session ends with this run; absent: it ends when it has been idle. */
  run?: number;
}

/**
 * A conversation, where the run is a turn of one; else the run at the top of the caller's family. Calls by hand belong to the person
 * who makes them.
 */
export async function sessionOwner(
  platform: Pick<ServiceMap["workflowPlatform"], "conversations">,
  run: ToolRun | undefined,
  { kind, userId, keyId }: Principal,
): Promise<SessionOwner> {
  if (run === undefined) return { key: `by-hand:${kind}:${keyId ?? userId ?? ""}` };
  const root = run.rootExecutionId;
  const conversation = await platform.conversations.of(root);
  return conversation === undefined ? { key: `run:${root}`, run: root } : { key: `conversation:${conversation}` };
}
