import type { Database } from "@oven/db";
import { type Permission, READING_ROLES, RUNNING_ROLES, type ServiceMap } from "@oven/module-registry";
import { ConversationService } from "./conversation-service.ts";
import { RoutedService } from "./routed-service.ts";
import { RoutedStore } from "./routed-store.ts";

export const routedPermissions: Permission[] = [
  { id: "routed-graphs.read", title: "See one's routed graphs and the conversations with them", roles: READING_ROLES },
  { id: "routed-graphs.create", title: "Make routed graphs", roles: ["editor"] },
  { id: "routed-graphs.update", title: "Change routed graphs", roles: ["editor"] },
  { id: "routed-graphs.delete", title: "Delete routed graphs", roles: ["editor"] },
  { id: "routed-graphs.execute", title: "Talk to routed graphs", roles: RUNNING_ROLES },
];

/** What the routes of routed graphs ask. */
export interface RoutedParts {
  graphs: RoutedService;
  conversations: ConversationService;
}

export function createRoutedParts(db: Database, services: ServiceMap): RoutedParts {
  const deps = { db, services, store: new RoutedStore(db) };
  return { graphs: new RoutedService(deps), conversations: new ConversationService(deps) };
}
