import { defineFormat } from "../../shared/define-format.ts";
import { linearPermissions, linearRoutes } from "./linear.routes.ts";
import { linearDocuments } from "./linear-format.ts";
import { createLinearParts, type LinearParts } from "./linear-parts.ts";
import { LinearStore } from "./linear-store.ts";
import { createDataGetTool } from "./nodes/data-get.tool.ts";
import { createDataStoreNode } from "./nodes/data-store.node.ts";
import { createStopCheckNode } from "./nodes/stop-check.node.ts";
import { personData } from "./person-data.ts";
import * as tables from "./schema.ts";

/** A trigger, ordered steps and data containers: document 000, `docs/guides/linear-workflows.md`. */
export const createFormat = defineFormat<LinearParts>({
  id: "linear",
  title: "Linear workflows",
  resource: "linear-workflows",
  permissions: linearPermissions,
  tables,
  personData,
  create: createLinearParts,
  routes: linearRoutes,
  nodes: (parts) => [createDataStoreNode(() => parts().data), createStopCheckNode(() => parts().data)],
  tools: (parts) => [createDataGetTool(() => parts().data)],
  documents: linearDocuments,
  forget: (db, agentWorkflowId) => new LinearStore(db).forget(agentWorkflowId),
  start: ({ summaries }) => summaries.start(),
  stop: ({ summaries }) => summaries.stop(),
});
