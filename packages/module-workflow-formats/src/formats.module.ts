// What they put into `services`.
import type { ExecutionKind } from "@oven/contract/run";
import type { PgTable } from "@oven/db/pg-core";
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-notifications";
import { defineModule, type Listener, type ModuleDefinition, type Route, type ServiceMap } from "@oven/module-registry";
import type {} from "@oven/module-triggers";
import type {} from "@oven/module-workflow-agents";
import { FORMATS } from "./formats.ts";
import { importRoutes } from "./importing/import.routes.ts";
import { ImportStore } from "./importing/import-store.ts";
import { menuItems } from "./menu.ts";
import * as sharedTables from "./schema.ts";
import { formatPermissions, formatRoutes } from "./shared/format.routes.ts";
import { extractHtmlNode } from "./shared/nodes/extract-html.node.ts";
import { htmlToMarkdownNode } from "./shared/nodes/html-to-markdown.node.ts";
import { markdownToHtmlNode } from "./shared/nodes/markdown-to-html.node.ts";

interface Started {
  services: ServiceMap;
  imports: ImportStore;
  /** Forgets a workflow that was deleted. */
  forget(kind: ExecutionKind, workflowId: number): Promise<void>;
}

/** Other systems' workflow formats, compiled to definitions of ours and run by the one engine. */
export function createWorkflowFormatsModule(): ModuleDefinition {
  const formats = FORMATS.map((create) => create());
  let started: Started | undefined;
  const ready = () => {
    if (started === undefined) throw new Error("module-workflow-formats was not started by a runtime");
    return started;
  };
  const onDeleted =
    (kind: ExecutionKind): Listener =>
    async ({ payload }) => {
      if (typeof payload.id === "number") await ready().forget(kind, payload.id);
    };
  return defineModule({
    name: "module-workflow-formats",
    namespace: "formats",
    description: "Linear workflows, executor chains, session and routed graphs.",
    dependencies: [
      "module-registry",
      "module-workflows",
      "module-ai",
      "module-agent-core",
      "module-workflow-agents",
      "module-triggers",
      "module-notifications",
    ],
    schema: Object.fromEntries([sharedTables, ...formats.map(({ tables }) => tables)].flatMap(Object.entries<PgTable>)),
    personData: {
      holdings: formats.flatMap(({ personData }) => personData.holdings),
      numbers: formats.flatMap(({ personData }) => personData.numbers),
    },
    migrations: new URL("../migrations", import.meta.url),
    permissions: [...formats.flatMap(({ permissions }) => permissions), ...formatPermissions],
    configSchema: formats.flatMap(({ configKeys }) => configKeys),
    nodes: [extractHtmlNode, htmlToMarkdownNode, markdownToHtmlNode, ...formats.flatMap(({ nodes }) => nodes)],
    tools: formats.flatMap(({ tools }) => tools),
    resources: formats.map(({ resource, title }) => ({ name: resource, title })),
    menuItems,
    events: {
      emits: Object.fromEntries(formats.flatMap(({ emits }) => Object.entries(emits))),
      listeners: {
        "workflows.workflow.deleted": onDeleted("workflow"),
        "agents-workflow.workflow.deleted": onDeleted("agent-workflow"),
      },
    },
    // What they do to agent workflows, runs and triggers takes the permissions of those, too.
    routes: [
      ...formats.flatMap(({ routes }) => routes),
      ...importRoutes(() => ({ workflowPlatform: ready().services.workflowPlatform, imports: ready().imports })),
      ...formatRoutes(formats, () => ready().services),
    ].map((route): Route => ({ ...route, delegates: true })),
    services: async ({ db, services }) => {
      for (const format of formats) format.open(db, services);
      const imports = new ImportStore(db);
      started = {
        ...{ services, imports },
        forget: async (kind, workflowId) => {
          await new ImportStore(db.system).forget(kind, workflowId);
          if (kind === "workflow") return;
          for (const format of formats) await format.forget(db.system, workflowId);
        },
      };
      return {};
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) for (const format of formats) format.start();
    },
    stop: async () => {
      for (const format of formats) await format.stop();
    },
  });
}
