import type { RoutedConversation, RoutedGraph, RoutedGraphSpec } from "../generated/operations.ts";
import type { Http } from "../http.ts";

/** Routed graphs and conversations with them. `id` is that of the document. */
export function createRoutedClient(http: Http) {
  const at = (id: string, more = "") => `routed-graphs/${encodeURIComponent(id)}${more}`;
  const of = (conversation: string, more = "") => `routed-conversations/${encodeURIComponent(conversation)}${more}`;
  return {
    /** Makes it, or puts the document in its place. */
    put: (graph: RoutedGraphSpec) => http.send<RoutedGraph>("PUT", at(graph.id), graph),
    /** A document as text; `repair` adds what a refusal has offered. */
    import: (source: string, repair = false) =>
      http.send<RoutedGraph>("POST", "routed-graphs", { source, ...(repair ? { repair } : {}) }),
    export: (id: string) => http.send<RoutedGraphSpec>("GET", at(id, "/export")),
    get: (id: string) => http.find<RoutedGraph>(at(id)),
    list: () => http.send<RoutedGraph[]>("GET", "routed-graphs"),
    delete: (id: string) => http.send<void>("DELETE", at(id)),
    start: (id: string, message: string) =>
      http.send<RoutedConversation>("POST", at(id, "/conversations"), { message }),
    listConversations: (id: string) => http.send<RoutedConversation[]>("GET", at(id, "/conversations")),
    getConversation: (conversation: string) => http.find<RoutedConversation>(of(conversation)),
    say: (conversation: string, message: string) =>
      http.send<RoutedConversation>("POST", of(conversation, "/messages"), { message }),
  };
}
