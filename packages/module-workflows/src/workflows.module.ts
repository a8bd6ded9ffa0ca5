import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";
import type { Sandbox } from "@oven/sandbox";
import { blobRoutes } from "./blobs/blob.routes.ts";
import { canaryRoutes } from "./canary/canary.routes.ts";
import { canaryListeners } from "./canary/canary-listeners.ts";
import { CODE_VARIABLES, openSandbox } from "./code/code-processes.ts";
import { consequenceRoutes } from "./consequences/consequence.routes.ts";
import { CORRELATED_EVENT, CorrelatedEventSchema } from "./correlation/correlated-event.ts";
import { expressionRoutes } from "./definitions/expression.routes.ts";
import { workflowRoutes } from "./definitions/workflow.routes.ts";
import { draftRoutes } from "./drafts/draft.routes.ts";
import { workflowEvents } from "./events.ts";
import { executeAction } from "./executions/execute.action.ts";
import { executionRoutes } from "./executions/execution.routes.ts";
import { holdPermissions, holdRoutes } from "./holds/hold.routes.ts";
import { installationRoutes } from "./installation/installation.routes.ts";
import { menuItems, resources } from "./menu.ts";
import { migrationPermissions, migrationRoutes } from "./migrate-runs/migration.routes.ts";
import { coreNodes } from "./nodes/core-nodes.ts";
import { nodeTools } from "./nodes/node-tools.ts";
import { nodeTypeRoutes } from "./nodes/node-types.routes.ts";
import { personData } from "./person-data.ts";
import { personConfigKeys } from "./persons/run-holdings.ts";
import { WorkflowPlatform } from "./platform.ts";
import { policyPermissions, policyRoutes } from "./policies/policy.routes.ts";
import { rehearsalRoutes } from "./rehearsals/rehearsal.routes.ts";
import { retentionRoutes } from "./retention/retention.routes.ts";
import { retentionConfigKeys } from "./retention/retention-config.ts";
import { reviewRoutes } from "./reviews/review.routes.ts";
import { runConfigKeys } from "./run-config.ts";
import * as schema from "./schema.ts";
import { scorePermissions, scoreRoutes } from "./scores/score.routes.ts";
import { createSqlService } from "./sql/sql-service.ts";
import { readSqlUrls } from "./sql/sql-urls.ts";
import { regularTables } from "./tables/workflows.table.ts";
import { metricsRoutes } from "./telemetry/metrics.routes.ts";
import { runGauges } from "./telemetry/run-gauges.ts";
import { createUsageService } from "./usage/usage-service.ts";
import type { WorkflowFace } from "./workflow-face.ts";
import { REGULAR } from "./workflow-kind.ts";

const { executionIds: _executionIds, nodeRunIds: _nodeRunIds, reviewIds: _reviewIds, ...tables } = schema;

/** The engine, core nodes, regular workflows and reviews. */
export function createWorkflowsModule(): ModuleDefinition {
  let state: { platform: WorkflowPlatform; sandbox: Sandbox; face: WorkflowFace } | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-workflows was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-workflows",
    namespace: "workflows",
    description: "The durable engine, core nodes, regular workflows, their runs, and reviews.",
    dependencies: ["module-registry", "module-roles"],
    schema: tables,
    migrations: new URL("../migrations", import.meta.url),
    nodes: coreNodes,
    variables: CODE_VARIABLES,
    tools: nodeTools(() => ready().platform.nodes),
    actions: [executeAction(REGULAR)],
    personData,
    gauges: runGauges(() => ready().platform.installation),
    configSchema: [...runConfigKeys, ...retentionConfigKeys, ...personConfigKeys],
    events: {
      emits: { ...workflowEvents(REGULAR), [CORRELATED_EVENT]: CorrelatedEventSchema },
      listeners: {
        [CORRELATED_EVENT]: (event) => ready().platform.correlated.deliver(event),
        ...canaryListeners(REGULAR, () => ready().face),
      },
    },
    permissions: [
      { id: "workflows.read", title: "See workflows", roles: [...READING_ROLES, "reviewer"] },
      { id: "workflows.create", title: "Create workflows", roles: ["editor"] },
      { id: "workflows.update", title: "Change workflows", roles: ["editor"] },
      { id: "workflows.delete", title: "Delete workflows", roles: ["editor"] },
      { id: "workflows.execute", title: "Run workflows", roles: RUNNING_ROLES },
      { id: "executions.read", title: "See runs", roles: [...READING_ROLES, "reviewer"] },
      { id: "executions.cancel", title: "Cancel runs", roles: RUNNING_ROLES },
      { id: "executions.override", title: "Let runs pass over reviews: forks, retries, pins, older versions" },
      { id: "executions.signal", title: "Send events to runs", roles: RUNNING_ROLES },
      { id: "metrics.read", title: "Read the metrics of the whole installation", roles: ["auditor"] },
      { id: "reviews.read", title: "See reviews", roles: [...READING_ROLES, "reviewer"] },
      { id: "reviews.decide", title: "Decide reviews", roles: [...RUNNING_ROLES, "reviewer"] },
      ...holdPermissions,
      ...scorePermissions,
      ...migrationPermissions,
      ...policyPermissions,
    ],
    resources,
    menuItems,
    routes: [
      ...workflowRoutes(REGULAR, () => {
        const { face, platform } = ready();
        return {
          workflows: face.workflows,
          catalog: platform.nodes,
          policies: platform.policies,
          grants: platform.grants,
          worstCases: platform.worstCases,
          reviews: platform.reviews,
          inspect: (principal, definition) => platform.inspect(principal, definition),
        };
      }),
      ...draftRoutes(REGULAR, () => ready().face),
      ...migrationRoutes(REGULAR, () => ready().face),
      ...canaryRoutes(REGULAR, () => ready().face),
      ...rehearsalRoutes(REGULAR, () => ({ ...ready().face, policies: ready().platform.policies })),
      ...policyRoutes(() => ready().platform),
      ...executionRoutes(REGULAR, () => ({ ...ready().face, reviews: ready().platform.reviews })),
      ...reviewRoutes(() => ({ reviews: ready().platform.reviews })),
      ...holdRoutes(() => ready().platform),
      ...scoreRoutes(REGULAR, () => ready().platform),
      ...consequenceRoutes((principal, id) => ready().platform.consequencesOf(principal, id)),
      ...blobRoutes(() => {
        const { platform } = ready();
        return {
          blobs: platform.blobs,
          requireRun: (by, id) => platform.requireRun(by, id),
          familyOf: (id) => platform.familyOf(id),
        };
      }),
      ...retentionRoutes(() => ({ retention: ready().platform.retention })),
      ...installationRoutes(() => ready().platform.installation),
      ...metricsRoutes(() => ready().platform.telemetry),
      ...nodeTypeRoutes(() => ({ nodes: ready().platform.nodes })),
      ...expressionRoutes(),
    ],
    services: async (deps) => {
      const platform = new WorkflowPlatform(deps);
      const sandbox = openSandbox(deps.environment.variables);
      state = { platform, sandbox, face: platform.addKind({ kind: REGULAR, tables: regularTables }) };
      return {
        workflowPlatform: platform,
        releases: platform.reviews,
        blobs: platform.blobs,
        sql: createSqlService(readSqlUrls(process.env)),
        sandbox,
        usage: createUsageService(deps.db),
      };
    },
    start: () => ready().platform.start(),
    async stop() {
      const { platform, sandbox } = ready();
      await platform.stop();
      sandbox.close();
    },
  });
}
