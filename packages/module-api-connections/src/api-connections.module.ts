import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES, WorkLoop } from "@oven/module-registry";
import { AccountService } from "./accounts/account-service.ts";
import { AccountStore } from "./accounts/account-store.ts";
import { Accounts } from "./accounts/accounts.ts";
import { OAuthClient } from "./accounts/oauth-client.ts";
import { SignInService } from "./accounts/sign-in-service.ts";
import { ConnectionService } from "./connections/connection-service.ts";
import { Readings } from "./connections/readings.ts";
import { menuItems, resources } from "./menu.ts";
import { callOperationNode } from "./nodes/call-operation.node.ts";
import { OperationCaller } from "./operations/operation-caller.ts";
import { createOperationCatalogue, USE_PERMISSION } from "./operations/operation-catalogue.ts";
import { operationEvents } from "./operations/operation-events.ts";
import { API_NAMESPACE } from "./operations/operation-row.ts";
import { OperationService } from "./operations/operation-service.ts";
import { personData } from "./person-data.ts";
import { accountRoutes } from "./routes/account.routes.ts";
import { catalogueRoutes } from "./routes/catalogue.routes.ts";
import { connectionRoutes } from "./routes/connection.routes.ts";
import { operationRoutes } from "./routes/operation.routes.ts";
import type { RouteDeps } from "./routes/route-deps.ts";
import * as schema from "./schema.ts";

interface State extends RouteDeps {
  readings: WorkLoop;
  refreshing: WorkLoop;
}

/** APIs by their documents: operations approved one by one and pinned, and called in runs as steps and tools. */
export function createApiConnectionsModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-api-connections was not started by a runtime");
    return state;
  };
  const stopped = new AbortController();
  return defineModule({
    name: "module-api-connections",
    namespace: "api-connections",
    description: "APIs whose operations steps and agents may call once they have been approved.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core", "module-workflow-agents"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    nodes: [callOperationNode],
    permissions: [
      { id: "api-connections.read", title: "See connected APIs", roles: READING_ROLES },
      { id: "api-connections.create", title: "Connect APIs" },
      { id: "api-connections.update", title: "Change connections of APIs" },
      { id: "api-connections.delete", title: "Delete connections of APIs" },
      { id: "api-connections.approve", title: "Approve the operations of connected APIs" },
      { id: USE_PERMISSION, title: "Use the operations of connected APIs", roles: RUNNING_ROLES },
    ],
    resources,
    menuItems,
    events: { emits: operationEvents, listeners: {} },
    routes: [...connectionRoutes(ready), ...operationRoutes(ready), ...accountRoutes(ready), ...catalogueRoutes()],
    services: async ({ db, services, environment }) => {
      const { publicUrl, outboundAllow: allow } = environment;
      const { outbound, secrets } = services;
      const store = new AccountStore(db, secrets);
      const oauth = new OAuthClient({ outbound, secrets, allow });
      const accounts = new Accounts({ store, oauth });
      const catalogue = createOperationCatalogue(db, () => services.workflowPlatform.policies.forget());
      const readings = new Readings({ db, services, accounts, allow });
      const connections = new ConnectionService({ db, services, store, catalogue, readings });
      const caller = new OperationCaller({ db, services, accounts, publicUrl, allow });
      services.tools.addSource(API_NAMESPACE, {
        list: (tenantId) => catalogue.list(tenantId),
        call: (id, args, options) => caller.call(id, args, options),
      });
      const signIns = new SignInService({ db, secrets, oauth, store, publicUrl });
      await catalogue.refresh();
      const untilNext = () => readings.untilNext();
      state = {
        ...{ connections, signIns, publicUrl },
        operations: new OperationService({ db, services, connections, catalogue, caller }),
        accounts: new AccountService({ db, services, connections, store, signIns }),
        readings: new WorkLoop("reading documents of APIs", () => readings.checkDue(stopped.signal), { db, untilNext }),
        refreshing: new WorkLoop("reading the operations of APIs", () => catalogue.refresh(), { db }),
      };
      return {};
    },
    start: async ({ environment }) => {
      ready().refreshing.start();
      if (environment.worker?.enabled !== false) ready().readings.start();
    },
    stop: async () => {
      stopped.abort(new Error("the process stops"));
      await ready().readings.stop();
      await ready().refreshing.stop();
    },
  });
}
