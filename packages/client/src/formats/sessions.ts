import type {
  GraphSession,
  ImportNeo4jGraph,
  Json,
  Operations,
  SessionGraph,
  SessionGraphSpec,
  SessionState,
} from "../generated/operations.ts";
import type { Http } from "../http.ts";

type WriteSessionState = Operations["PUT /graph-sessions/{session}/state"]["body"];

/** Session graphs and their sessions. `id` is a graph's UUID or its short name. */
export function createSessionsClient(http: Http) {
  const at = (id: string, more = "") => `session-graphs/${encodeURIComponent(id)}${more}`;
  const of = (session: string, more = "") => `graph-sessions/${encodeURIComponent(session)}${more}`;
  return {
    create: (graph: SessionGraphSpec) => http.send<SessionGraph>("POST", "session-graphs", graph),
    /** A document as text. */
    import: (source: string) => http.send<SessionGraph>("POST", "session-graphs/import", { source }),
    /** Imports a graph from the Neo4j database that the operator has configured. */
    importNeo4j: (what: ImportNeo4jGraph = {}) => http.send<SessionGraph>("POST", "session-graphs/import-neo4j", what),
    export: (id: string) => http.send<SessionGraphSpec>("GET", at(id, "/export")),
    get: (id: string) => http.find<SessionGraph>(at(id)),
    list: () => http.send<SessionGraph[]>("GET", "session-graphs"),
    replace: (id: string, graph: SessionGraphSpec) => http.send<SessionGraph>("PUT", at(id), graph),
    delete: (id: string) => http.send<void>("DELETE", at(id)),
    start: (id: string) => http.send<GraphSession>("POST", at(id, "/sessions")),
    listSessions: (id: string) => http.send<GraphSession[]>("GET", at(id, "/sessions")),
    getSession: (session: string) => http.find<GraphSession>(of(session)),
    getState: (session: string) => http.send<SessionState>("GET", of(session, "/state")),
    /** The session goes on from there. */
    writeState: (session: string, state: WriteSessionState) =>
      http.send<GraphSession>("PUT", of(session, "/state"), state),
    answer: (session: string, step: string, input: Json) =>
      http.send<GraphSession>("POST", of(session, "/input"), { step, input }),
    retryStep: (session: string, step: string) =>
      http.send<GraphSession>("POST", of(session, `/steps/${encodeURIComponent(step)}/retry`)),
    cancelSession: (session: string) => http.send<GraphSession>("POST", of(session, "/cancel")),
  };
}
