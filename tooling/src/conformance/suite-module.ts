import { defineModule } from "../../../packages/module-registry/src/index.ts";
import { registerElicitations, registerQuestions } from "./suite-questions.ts";
import { registerSuitePrompts, registerSuiteResources } from "./suite-resources.ts";
import { registerTalkingTools, registerTools } from "./suite-tools.ts";

/** What MCP's conformance suite expects to find, on the servers that are generated from workflows. */
export const suiteModule = defineModule({
  name: "module-conformance-suite",
  namespace: "conformance-suite",
  description: "What the MCP conformance suite calls by name.",
  dependencies: ["module-workflow-agents"],
  services: async ({ services }) => {
    services.agentWorkflows.extendMcp((server, { sign }) => {
      registerTools(server);
      registerTalkingTools(server);
      registerElicitations(server);
      registerQuestions(server, sign);
      registerSuiteResources(server);
      registerSuitePrompts(server);
    });
    return {};
  },
});
