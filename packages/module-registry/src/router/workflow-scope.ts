import { OvenError, type Principal } from "@oven/contract";
import type { Route } from "../define/define-route.ts";

/** What says nothing of any workflow. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set(["session", "openapi.json"]);

/**
 * A caller bound to some workflows reaches the routes that keep to them and nothing else.
 * @throws OvenError FORBIDDEN 403
 */
export function requireWorkflowScope({ path, keepsToWorkflows }: Route, { workflows }: Principal): void {
  if (workflows === undefined || keepsToWorkflows === true || ABOUT_THE_CALLER.has(path)) return;
  throw new OvenError("FORBIDDEN", "This key is bound to some workflows, and this route is about something else", {
    status: 403,
    fix: "Use a key that is not bound to workflows.",
    details: { workflows },
  });
}
