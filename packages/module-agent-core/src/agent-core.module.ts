import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import { toolRoutes } from "./routes/tools.routes.ts";
import { createToolService } from "./tools/tool-service.ts";

/** Tools for agents: everything that modules offer, behind one face. */
export function createAgentCoreModule(): ModuleDefinition {
  return defineModule({
    name: "module-agent-core",
    namespace: "agents",
    description: "Tools for agents, made from every module's tools and routes.",
    dependencies: ["module-registry"],
    permissions: [{ id: "tools.read", title: "See tools" }],
    resources: [{ name: "tools", title: "Tools" }],
    menuItems: [{ section: "Agents", title: "Tools", to: "/tools" }],
    routes: toolRoutes,
    services: async (deps) => ({ tools: createToolService(deps) }),
  });
}
