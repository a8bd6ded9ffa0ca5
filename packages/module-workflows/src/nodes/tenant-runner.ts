import { withinTenant } from "@oven/db";
import type { NodeRunner } from "@oven/engine";

/** Each call of a node reaches rows of its run's tenant only. */
export function keepWithinTenants(nodes: NodeRunner): NodeRunner {
  return {
    run: (call) => withinTenant(call.principal.tenantId, () => nodes.run(call)),
    resume: (call, signal) => withinTenant(call.principal.tenantId, () => nodes.resume(call, signal)),
    runItem: (call, item) => withinTenant(call.principal.tenantId, () => nodes.runItem(call, item)),
  };
}
