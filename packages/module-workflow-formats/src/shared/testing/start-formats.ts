import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createNotificationsModule } from "@oven/module-notifications";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineTool,
  type ModuleDefinition,
  RUNNING_ROLES,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createTriggersModule, type TriggersOptions } from "@oven/module-triggers";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import {
  addPerson,
  type ModelScript,
  type ModelServer,
  startModelServer,
  startTestOven,
  type TestOven,
} from "@oven/testing";
import { z } from "zod";
import { createWorkflowFormatsModule } from "../../formats.module.ts";

export interface FormatsOven extends TestOven {
  server: ModelServer;
  /** Labels that `mail.addLabel` put on. */
  labels: string[];
  /** The key of a new person with a role. */
  keyFor(role: string, tenantId?: number): Promise<string>;
}

export interface FormatsOptions {
  triggers?: TriggersOptions;
  outboundAllow?: readonly string[];
  /** One that outlives the runtime; absent: one of its own. */
  db?: Database;
  /** Beside those of the product. */
  modules?: readonly ModuleDefinition[];
}

/** Everything that workflow formats need, a mail tool, and a scripted model server at the other end of the wire. */
export async function startFormats(
  script: ModelScript,
  { triggers, outboundAllow = [], db, modules = [] }: FormatsOptions = {},
): Promise<FormatsOven> {
  const server = await startModelServer(script, { models: ["house-model", "gpt-4o", "gpt-4o-mini"] });
  const labels: string[] = [];
  const mail = defineModule({
    name: "module-mail",
    namespace: "mail",
    description: "Mail.",
    dependencies: [],
    permissions: [{ id: "mail.use", title: "Use mail", roles: RUNNING_ROLES }],
    tools: [
      defineTool({
        id: "mail.addLabel",
        title: "Label",
        description: "Puts a label on the mail",
        input: z.strictObject({ label: z.string() }),
        output: z.strictObject({ done: z.boolean() }),
        permission: "mail.use",
        effect: "idempotent",
        run: async ({ input }) => {
          labels.push(input.label);
          return { done: true };
        },
      }),
    ],
  });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createTriggersModule(triggers),
      createNotificationsModule(),
      createWorkflowFormatsModule(),
      mail,
      ...modules,
    ],
    ...(db === undefined ? {} : { db }),
    environment: { variables: { OPENAI_BASE_URL: server.url }, outboundAllow },
  });
  return {
    ...oven,
    server,
    labels,
    keyFor: async (role, tenantId) => (await addPerson(oven.db, role, tenantId === undefined ? {} : { tenantId })).key,
    async stop() {
      await oven.stop();
      await server.close();
    },
  };
}
