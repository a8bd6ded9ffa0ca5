import { createA2aModule } from "@oven/module-a2a";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createApiConnectionsModule } from "@oven/module-api-connections";
import { createBackupModule } from "@oven/module-backup";
import { createBotsModule } from "@oven/module-bots";
import { createBuilderModule } from "@oven/module-builder";
import { createChatModule } from "@oven/module-chat";
import { createDemoModule } from "@oven/module-demo";
import { createEmbedModule } from "@oven/module-embed";
import { createEvalsModule } from "@oven/module-evals";
import { createMcpConnectionsModule } from "@oven/module-mcp-connections";
import { createNotificationsModule, type MailSettings } from "@oven/module-notifications";
import { createOpenAiApiModule } from "@oven/module-openai-api";
import { createPromotionModule } from "@oven/module-promotion";
import { createReceiptsModule } from "@oven/module-receipts";
import { createSystemModule, type ModuleDefinition } from "@oven/module-registry";
import { createRolesModule, type OidcSettings } from "@oven/module-roles";
import { createTablesModule } from "@oven/module-tables";
import { createTriggersModule } from "@oven/module-triggers";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowFormatsModule } from "@oven/module-workflow-formats";
import { createWorkflowsModule } from "@oven/module-workflows";

/** Every module of this installation, in the order in which they depend on each other. */
export function installedModules({
  demo,
  oidc,
  mail,
  mcpServersFile,
}: {
  demo: boolean;
  oidc?: OidcSettings;
  mail?: MailSettings;
  mcpServersFile?: string;
}): ModuleDefinition[] {
  return [
    createSystemModule(),
    createRolesModule(oidc === undefined ? {} : { oidc }),
    createAiModule(),
    createAgentCoreModule(),
    createWorkflowsModule(),
    createAgentWorkflowsModule(),
    createTriggersModule(),
    createNotificationsModule(mail === undefined ? {} : { mail }),
    createMcpConnectionsModule(mcpServersFile === undefined ? {} : { serversFile: mcpServersFile }),
    createTablesModule(),
    createPromotionModule(),
    createWorkflowFormatsModule(),
    createEvalsModule(),
    createChatModule(),
    createOpenAiApiModule(),
    createBackupModule(),
    ...(demo ? [createDemoModule()] : []),
    createApiConnectionsModule(),
    createBuilderModule(),
    createReceiptsModule(),
    createA2aModule(),
    createBotsModule(),
    createEmbedModule(),
  ];
}
