import { a2aUi } from "@oven/module-a2a/ui";
import { agentCoreUi } from "@oven/module-agent-core/ui";
import { aiUi } from "@oven/module-ai/ui";
import { apiConnectionsUi } from "@oven/module-api-connections/ui";
import { botsUi } from "@oven/module-bots/ui";
import { builderUi } from "@oven/module-builder/ui";
import { chatUi } from "@oven/module-chat/ui";
import { embedUi } from "@oven/module-embed/ui";
import { evalsUi } from "@oven/module-evals/ui";
import { mcpConnectionsUi } from "@oven/module-mcp-connections/ui";
import { notificationsUi } from "@oven/module-notifications/ui";
import { receiptsUi } from "@oven/module-receipts/ui";
import { systemUi } from "@oven/module-registry/ui";
import { rolesUi } from "@oven/module-roles/ui";
import { tablesUi } from "@oven/module-tables/ui";
import { triggersUi } from "@oven/module-triggers/ui";
import { agentWorkflowsUi } from "@oven/module-workflow-agents/ui";
import { formatsUi } from "@oven/module-workflow-formats/ui";
import { workflowsUi } from "@oven/module-workflows/ui";
import type { UiModule } from "@oven/ui/ui-module.ts";

/** The modules whose pages this dashboard shows. Their index files hold no words, so the list is loaded before the language. */
export const uiModules: readonly UiModule[] = [
  workflowsUi,
  agentWorkflowsUi,
  mcpConnectionsUi,
  agentCoreUi,
  aiUi,
  triggersUi,
  evalsUi,
  formatsUi,
  chatUi,
  rolesUi,
  notificationsUi,
  systemUi,
  apiConnectionsUi,
  tablesUi,
  builderUi,
  receiptsUi,
  a2aUi,
  botsUi,
  embedUi,
];
