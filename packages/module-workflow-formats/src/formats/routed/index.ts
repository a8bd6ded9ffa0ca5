import { defineFormat } from "../../shared/define-format.ts";
import { routedRoutes } from "./routed.routes.ts";
import { routedDocuments } from "./routed-format.ts";
import { createRoutedParts, type RoutedParts, routedPermissions } from "./routed-parts.ts";
import { RoutedStore } from "./routed-store.ts";
import * as tables from "./schema.ts";

/** Agents and tool executors that hand over to each other: document 003, `docs/guides/routed-graphs.md`. */
export const createFormat = defineFormat<RoutedParts>({
  id: "routed-graph",
  title: "Routed graphs",
  resource: "routed-graphs",
  permissions: routedPermissions,
  tables,
  personData: { holdings: [], numbers: ["routed_graphs.user_id"] },
  create: createRoutedParts,
  routes: routedRoutes,
  documents: routedDocuments,
  forget: (db, agentWorkflowId) => new RoutedStore(db).forget(agentWorkflowId),
});
