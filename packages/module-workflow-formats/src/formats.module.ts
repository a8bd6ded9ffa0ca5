// What they put into `services`.

import { eq } from "@oven/db/drizzle";
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-notifications";
import {
  defineModule,
  type Listener,
  type ModuleDefinition,
  type Route,
  type ServiceMap,
  WorkLoop,
} from "@oven/module-registry";
import type {} from "@oven/module-triggers";
import type {} from "@oven/module-workflow-agents";
import { chainRoutes } from "./chains/chain.routes.ts";
import { chainFormat } from "./chains/chain-format.ts";
import type { ChainParts } from "./chains/chain-parts.ts";
import { chainRunRoutes } from "./chains/chain-run.routes.ts";
import { ChainStore } from "./chains/chain-store.ts";
import { chainConfigKeys, chainPermissions, createChainParts } from "./chains/chains.ts";
import { chainKeepNode } from "./chains/nodes/chain-keep.node.ts";
import { chainPrepareNode } from "./chains/nodes/chain-prepare.node.ts";
import { chainTools, MESSAGE_SENT, MessageSentSchema } from "./chains/tools/everyday-tools.ts";
import { readOutputTool } from "./chains/tools/read-output.tool.ts";
import { workflowTools } from "./chains/tools/workflow-tools.ts";
import { importRoutes } from "./importers/import.routes.ts";
import { ContainerService } from "./linear/container-service.ts";
import { contentOf, DataInstances } from "./linear/data-instances.ts";
import { InstanceService } from "./linear/instance-service.ts";
import { linearPermissions, linearRoutes } from "./linear/linear.routes.ts";
import { LinearCompiler } from "./linear/linear-compiler.ts";
import { LinearDocuments } from "./linear/linear-documents.ts";
import { linearFormat } from "./linear/linear-format.ts";
import type { LinearParts } from "./linear/linear-parts.ts";
import { LinearService } from "./linear/linear-service.ts";
import { LinearStore } from "./linear/linear-store.ts";
import { createDataGetTool } from "./linear/nodes/data-get.tool.ts";
import { createDataStoreNode } from "./linear/nodes/data-store.node.ts";
import { createStopCheckNode } from "./linear/nodes/stop-check.node.ts";
import { StepInstances } from "./linear/step-instances.ts";
import { StepService } from "./linear/step-service.ts";
import { StepSummaries } from "./linear/step-summaries.ts";
import { TriggerManager } from "./linear/trigger-manager.ts";
import { menuItems, resources } from "./menu.ts";
import { routedRoutes } from "./routed/routed.routes.ts";
import { routedFormat } from "./routed/routed-format.ts";
import { createRoutedParts, type RoutedParts, routedPermissions } from "./routed/routed-parts.ts";
import { RoutedStore } from "./routed/routed-store.ts";
import * as schema from "./schema.ts";
import { GraphStore } from "./sessions/graph-store.ts";
import { sessionRoutes } from "./sessions/session.routes.ts";
import { sessionFormat } from "./sessions/session-format.ts";
import { sessionGraphRoutes } from "./sessions/session-graph.routes.ts";
import { createSessionParts, type SessionParts, sessionPermissions } from "./sessions/session-parts.ts";
import { formatPermissions, formatRoutes } from "./shared/format.routes.ts";

interface Parts extends LinearParts {
  summaries: WorkLoop;
  chains: ChainParts;
  sessions: SessionParts;
  routed: RoutedParts;
  services: ServiceMap;
  /** Forgets an agent workflow that somebody deleted. */
  forget(workflowId: number): Promise<void>;
}

/** Other systems' workflow formats, compiled to definitions of ours and run by the one engine. */
export function createWorkflowFormatsModule(): ModuleDefinition {
  let state: Parts | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-workflow-formats was not started by a runtime");
    return state;
  };
  const data = () => ready().data;
  const chains = () => ready().chains;
  const sessions = () => ready().sessions;
  const routed = () => ready().routed;
  const onDeleted: Listener = async ({ payload }) => {
    if (typeof payload.id === "number") await ready().forget(payload.id);
  };
  return defineModule({
    name: "module-workflow-formats",
    namespace: "formats",
    description:
      "Linear workflows with data containers, chains of executors, session graphs and routed graphs, as their documents have them, on the engine.",
    dependencies: [
      "module-registry",
      "module-workflows",
      "module-ai",
      "module-agent-core",
      "module-workflow-agents",
      "module-triggers",
      "module-notifications",
    ],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      ...linearPermissions,
      ...chainPermissions,
      ...sessionPermissions,
      ...routedPermissions,
      ...formatPermissions,
    ],
    configSchema: chainConfigKeys,
    nodes: [createDataStoreNode(data), createStopCheckNode(data), chainPrepareNode, chainKeepNode],
    tools: [createDataGetTool(data), readOutputTool, ...workflowTools(chains), ...chainTools(() => chains().db)],
    resources,
    menuItems,
    events: {
      emits: { [MESSAGE_SENT]: MessageSentSchema },
      listeners: { "agents-workflow.workflow.deleted": onDeleted },
    },
    // What they do to agent workflows, runs and triggers takes the permissions of those, too.
    routes: [
      ...linearRoutes(ready),
      ...chainRoutes(chains),
      ...chainRunRoutes(chains),
      ...sessionGraphRoutes(sessions),
      ...sessionRoutes(sessions),
      ...routedRoutes(routed),
      ...importRoutes(() => ready().services),
      ...formatRoutes(() => {
        const { services } = ready();
        return {
          services,
          formats: [linearFormat(ready()), chainFormat(chains()), sessionFormat(sessions()), routedFormat(routed())],
        };
      }),
    ].map((route): Route => ({ ...route, delegates: true })),
    services: async ({ db, services }) => {
      const { workflowPlatform } = services;
      const store = new LinearStore(db);
      const deps = { db, services, store };
      const data = new DataInstances(db, () => services.ai);
      const summaries = new WorkLoop("summaries of steps", () => new StepSummaries(db.system, services).work());
      const compiler = new LinearCompiler(deps);
      const steps = new StepService(deps, compiler, () => summaries.wake());
      const workflows = new LinearService(deps, compiler, steps);
      const stepInstances = new StepInstances(deps);
      const instances = new InstanceService(deps, { compiler, stepInstances, data });
      const { linearWorkflows } = schema;
      const chainParts = createChainParts(db, services);
      state = {
        ...{
          workflows,
          steps,
          stepInstances,
          store,
          summaries,
          data,
          chains: chainParts,
          sessions: createSessionParts(db, services),
          routed: createRoutedParts(db, services),
          services,
        },
        triggers: new TriggerManager(deps, compiler, workflows),
        instances,
        containers: new ContainerService(deps, { data, instances }),
        documents: new LinearDocuments(deps, compiler, () => summaries.wake()),
        forget: async (workflowId) => {
          await db.system.orm
            .update(linearWorkflows)
            .set({ workflowId: null })
            .where(eq(linearWorkflows.workflowId, workflowId));
          await new ChainStore(db.system).forget(workflowId);
          await new GraphStore(db.system).forget(workflowId);
          await new RoutedStore(db.system).forget(workflowId);
        },
      };
      workflowPlatform.readDataWith(async (uuid, tenantId) => contentOf(await data.get({ tenantId }, uuid)));
      for (const table of ["data_container_instances", "linear_step_instances"]) {
        workflowPlatform.retention.add({
          table,
          since: "created_at",
          run: "execution_id",
          setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
        });
      }
      return {};
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) ready().summaries.start();
    },
    stop: () => ready().summaries.stop(),
  });
}
