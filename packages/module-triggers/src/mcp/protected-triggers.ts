import { isOvenError } from "@oven/contract";
import type { ProtectedServers } from "@oven/module-registry";
import type { TriggerService } from "../triggers/trigger-service.ts";

const PATH = /^triggers\/([1-9]\d{0,14})$/;
/** A trigger fires in its own name; its caller follows what came of it. */
const PERMISSIONS = ["triggers.fire", "reviews.decide", "executions.read", "executions.cancel"];

/** Triggers that are tools take OAuth tokens, too. */
export function protectedTriggers(triggers: TriggerService): ProtectedServers {
  return {
    matches: (path) => PATH.test(path),
    scopes: () => PERMISSIONS,
    describe: async (principal, path) => {
      const [, id] = PATH.exec(path) ?? [];
      try {
        const { type, name } = await triggers.row(principal, Number(id));
        return type === "mcp" ? { title: name, permissions: PERMISSIONS } : undefined;
      } catch (error) {
        if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
        throw error;
      }
    },
  };
}
