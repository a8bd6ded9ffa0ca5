import type { Database } from "@oven/db";
import { type Permission, READING_ROLES, RUNNING_ROLES, type ServiceMap } from "@oven/module-registry";
import { GraphService } from "./graph-service.ts";
import { GraphStore } from "./graph-store.ts";
import { createNeo4jSource, type Neo4jSource } from "./neo4j-source.ts";
import { SessionService } from "./session-service.ts";

export const sessionPermissions: Permission[] = [
  { id: "session-graphs.read", title: "See one's session graphs and their sessions", roles: READING_ROLES },
  { id: "session-graphs.create", title: "Make session graphs", roles: ["editor"] },
  { id: "session-graphs.update", title: "Change session graphs", roles: ["editor"] },
  { id: "session-graphs.delete", title: "Delete session graphs", roles: ["editor"] },
  {
    id: "session-graphs.execute",
    title: "Start, answer, change, retry and cancel sessions of graphs",
    roles: RUNNING_ROLES,
  },
];

/** What the routes of session graphs ask. */
export interface SessionParts {
  graphs: GraphService;
  sessions: SessionService;
  neo4j: Neo4jSource;
}

export function createSessionParts(db: Database, services: ServiceMap): SessionParts {
  const deps = { db, services, store: new GraphStore(db) };
  const neo4j = createNeo4jSource(process.env);
  return { graphs: new GraphService(deps), sessions: new SessionService(deps), neo4j };
}
