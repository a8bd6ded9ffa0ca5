import { defineFormat } from "../../shared/define-format.ts";
import { GraphStore } from "./graph-store.ts";
import * as tables from "./schema.ts";
import { sessionRoutes } from "./session.routes.ts";
import { sessionDocuments } from "./session-format.ts";
import { sessionGraphRoutes } from "./session-graph.routes.ts";
import { createSessionParts, type SessionParts, sessionPermissions } from "./session-parts.ts";

/** Steps and `NEXT` paths, sessions with a state that is read and written: document 002, `docs/guides/session-graphs.md`. */
export const createFormat = defineFormat<SessionParts>({
  id: "session-graph",
  title: "Session graphs",
  resource: "session-graphs",
  permissions: sessionPermissions,
  tables,
  personData: { holdings: [], numbers: ["session_graphs.user_id"] },
  create: createSessionParts,
  routes: (parts) => [...sessionGraphRoutes(parts), ...sessionRoutes(parts)],
  documents: sessionDocuments,
  forget: (db, agentWorkflowId) => new GraphStore(db).forget(agentWorkflowId),
});
