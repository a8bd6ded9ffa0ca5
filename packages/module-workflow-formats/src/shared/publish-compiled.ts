import type { JsonObject, Principal } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-workflows";

export interface CompiledSource {
  name: string;
  description: string;
  enabled: boolean;
  definition: Definition;
}

type Services = Pick<ServiceMap, "workflowPlatform">;

/**
 * Keeps the agent workflow behind a source document as the document says.
 * @param id the one it has; null: it is made. Answers its id.
 */
export async function publishCompiled(
  { workflowPlatform }: Services,
  principal: Principal,
  id: number | null,
  source: CompiledSource,
): Promise<number> {
  const { workflows } = workflowPlatform.face("agent-workflow");
  // cast: a definition is JSON, only its type has optional members
  const body = { ...source, definition: source.definition as unknown as JsonObject };
  requirePermission(principal, id === null ? "agent-workflows.create" : "agent-workflows.update");
  const row = id === null ? workflows.create(principal, body) : workflows.update(principal, String(id), body);
  return (await row).id;
}

/** To be called before the transaction that deletes it: runs that go on are cancelled. */
export async function releaseCompiled({ workflowPlatform }: Services, principal: Principal, id: number): Promise<void> {
  requirePermission(principal, "agent-workflows.delete");
  await workflowPlatform.face("agent-workflow").workflows.release(principal, String(id), true);
}
