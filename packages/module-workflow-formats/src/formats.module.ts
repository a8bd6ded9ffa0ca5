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
import { chainRoutes } from "./formats/chains/chain.routes.ts";
import { chainFormat } from "./formats/chains/chain-format.ts";
import type { ChainParts } from "./formats/chains/chain-parts.ts";
import { chainRunRoutes } from "./formats/chains/chain-run.routes.ts";
import { ChainStore } from "./formats/chains/chain-store.ts";
import { chainConfigKeys, chainPermissions, createChainParts } from "./formats/chains/chains.ts";
import { chainKeepNode } from "./formats/chains/nodes/chain-keep.node.ts";
import { chainPrepareNode } from "./formats/chains/nodes/chain-prepare.node.ts";
import { chainTools, MESSAGE_SENT, MessageSentSchema } from "./formats/chains/tools/everyday-tools.ts";
import { readOutputTool } from "./formats/chains/tools/read-output.tool.ts";
import { workflowTools } from "./formats/chains/tools/workflow-tools.ts";
import { ContainerService } from "./formats/linear/container-service.ts";
import { contentOf, DataInstances } from "./formats/linear/data-instances.ts";
import { InstanceService } from "./formats/linear/instance-service.ts";
import { linearPermissions, linearRoutes } from "./formats/linear/linear.routes.ts";
import { LinearCompiler } from "./formats/linear/linear-compiler.ts";
import { LinearDocuments } from "./formats/linear/linear-documents.ts";
import { linearFormat } from "./formats/linear/linear-format.ts";
import type { LinearParts } from "./formats/linear/linear-parts.ts";
import { LinearService } from "./formats/linear/linear-service.ts";
import { LinearStore } from "./formats/linear/linear-store.ts";
import { createDataGetTool } from "./formats/linear/nodes/data-get.tool.ts";
import { createDataStoreNode } from "./formats/linear/nodes/data-store.node.ts";
import { createStopCheckNode } from "./formats/linear/nodes/stop-check.node.ts";
import { StepInstances } from "./formats/linear/step-instances.ts";
import { StepService } from "./formats/linear/step-service.ts";
import { StepSummaries } from "./formats/linear/step-summaries.ts";
import { TriggerManager } from "./formats/linear/trigger-manager.ts";
import { routedRoutes } from "./formats/routed/routed.routes.ts";
import { routedFormat } from "./formats/routed/routed-format.ts";
import { createRoutedParts, type RoutedParts, routedPermissions } from "./formats/routed/routed-parts.ts";
import { RoutedStore } from "./formats/routed/routed-store.ts";
import { GraphStore } from "./formats/sessions/graph-store.ts";
import { sessionRoutes } from "./formats/sessions/session.routes.ts";
import { sessionFormat } from "./formats/sessions/session-format.ts";
import { sessionGraphRoutes } from "./formats/sessions/session-graph.routes.ts";
import { createSessionParts, type SessionParts, sessionPermissions } from "./formats/sessions/session-parts.ts";
import { importRoutes } from "./importing/import.routes.ts";
import * as schema from "./schema.ts";
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
    resources: [
      { name: "linear-workflows", title: "Linear workflows" },
      { name: "executor-chains", title: "Executor chains" },
      { name: "session-graphs", title: "Session graphs" },
      { name: "routed-graphs", title: "Routed graphs" },
    ],
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
