import type { Json, JsonObject, Principal } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import { approvalNeeded, type ServiceMap } from "@oven/module-registry";
import { asksFirst } from "../tools/asks-first.ts";
import type { ToolCallOptions } from "../tools/tool-service.ts";
import { tryCall } from "../tools/try-call.ts";

interface Tried {
  toolId: string;
  approved: unknown;
  needsApproval: boolean;
  approvalWhen: string | null;
}

/** A call by hand of what an outside party offers, with arguments that fit; one that is not approved is refused with why. */
export interface CallByHand {
  principal: Principal;
  signal: AbortSignal;
  arguments: JsonObject;
  call(id: string, args: JsonObject, options: ToolCallOptions): Promise<Json>;
}

/** What goes wrong is in the answer. @throws OvenError APPROVAL_NEEDED where the call needs a review */
export async function tryPinned(
  services: Pick<ServiceMap, "secrets" | "tools">,
  { toolId, approved, needsApproval, approvalWhen }: Tried,
  { principal, signal, arguments: args, call }: CallByHand,
): Promise<TriedTool> {
  if (approved !== null && asksFirst({ needsApproval, approvalWhen: approvalWhen ?? undefined }, args))
    throw approvalNeeded(toolId);
  return tryCall(services, principal, async () => {
    // What is not among the tools is not approved: the call says why.
    if (services.tools.get(toolId, principal.tenantId) !== undefined)
      services.tools.check(toolId, args, principal.tenantId);
    return call(toolId, args, { principal, signal, idempotencyKey: crypto.randomUUID() });
  });
}
