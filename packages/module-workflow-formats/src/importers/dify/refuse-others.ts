import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { refuseProblems } from "../../shared/source-problem.ts";

/** What to do in Dify with an app that has no graph, by its mode. */
const WITHOUT_GRAPH: Record<string, string> = {
  chat: "In Dify, choose “Switch to Workflow Orchestrate” in the menu of the app, and export the new app.",
  completion: "In Dify, choose “Switch to Workflow Orchestrate” in the menu of the app, and export the new app.",
  "agent-chat": "In Dify, create a chatflow with an Agent node that has the same prompt and tools, and export that.",
};

/** Files of Dify that are no graph of an app. @throws OvenError SOURCE_INVALID with what to export instead */
export function refuseOthers(value: Json): void {
  if (!isObject(value)) return;
  const { kind, app, workflow } = value;
  if (typeof kind === "string" && kind !== "app")
    refuseProblems([
      {
        path: "$.kind",
        message: `This is a file of Dify of the kind ${kind}; only apps are imported`,
        fix: "Export a workflow or a chatflow: “Export DSL” in the menu of the app.",
      },
    ]);
  const mode = isObject(app) && typeof app.mode === "string" ? app.mode : "";
  const advice = Object.hasOwn(WITHOUT_GRAPH, mode) ? WITHOUT_GRAPH[mode] : undefined;
  if (advice !== undefined)
    refuseProblems([{ path: "$.app.mode", message: `A Dify app of the mode ${mode} has no graph`, fix: advice }]);
  if ((mode === "workflow" || mode === "advanced-chat") && !isObject(workflow))
    refuseProblems([
      {
        path: "$.workflow",
        message: "The file has no workflow part",
        fix: "Export it anew with “Export DSL” in the menu of the app, from a version that has a graph.",
      },
    ]);
}
