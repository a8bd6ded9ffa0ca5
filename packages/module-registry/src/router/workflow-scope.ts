import { OvenError, type Principal } from "@oven/contract";
import type { Route } from "../define/define-route.ts";

declare module "../define/services.ts" {
  interface ServiceMap {
    /**
     * Filled by the module that has agents: their ids, by id or slug, for a key that is bound to them.
     * @throws OvenError REFERENCE_MISSING 422
     */
    findAgents?(principal: Principal, names: readonly (string | number)[]): Promise<number[]>;
  }
}

/** What says nothing of any workflow. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set(["session", "openapi.json"]);

/**
 * A caller bound to some workflows and agents reaches the routes that keep to them and nothing else.
 * @throws OvenError FORBIDDEN 403
 */
export function requireWorkflowScope({ path, keepsToWorkflows }: Route, { workflows, agents = [] }: Principal): void {
  if (workflows === undefined || keepsToWorkflows === true || ABOUT_THE_CALLER.has(path)) return;
  throw new OvenError(
    "FORBIDDEN",
    "This key is bound to some workflows or agents, and this route is about something else",
    {
      status: 403,
      fix: "Use a key that is not bound.",
      details: { workflows, agents },
    },
  );
}
