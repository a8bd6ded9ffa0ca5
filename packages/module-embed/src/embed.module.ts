import { defineModule, type ModuleDefinition, READING_ROLES, WorkLoop } from "@oven/module-registry";
import { embedRoutes } from "./embed.routes.ts";
import { EmbedService } from "./embeds/embed-service.ts";
import { EmbedTargets } from "./embeds/embed-targets.ts";
import { menuItems, resources } from "./menu.ts";
import { ConversationExpiry } from "./messages/conversation-expiry.ts";
import { ConversationRows } from "./messages/conversation-rows.ts";
import { MessageService } from "./messages/message-service.ts";
import { Questions } from "./messages/questions.ts";
import { personData } from "./person-data.ts";
import * as schema from "./schema.ts";
import { type VisitorRouteDeps, visitorRoutes } from "./visitor.routes.ts";
import { SessionTokens } from "./visitors/session-token.ts";
import { VisitorService } from "./visitors/visitor-service.ts";

interface State extends VisitorRouteDeps {
  embeds: EmbedService;
  expiring: WorkLoop;
}

/** Agents and workflows on pages of other sites. */
export function createEmbedModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-embed was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-embed",
    namespace: "embeds",
    description: "Chats with agents and workflows, and forms of workflows, on pages of other sites.",
    dependencies: ["module-registry", "module-roles", "module-workflows", "module-agent-core", "module-chat"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      { id: "embeds.read", title: "See embeds", roles: READING_ROLES },
      { id: "embeds.create", title: "Make embeds" },
      { id: "embeds.update", title: "Change embeds" },
      { id: "embeds.delete", title: "Delete embeds" },
    ],
    resources,
    menuItems,
    routes: [...embedRoutes(() => ready().embeds), ...visitorRoutes(ready)],
    services: async ({ db, services, environment }) => {
      const targets = new EmbedTargets(services);
      const rows = new ConversationRows(db);
      const visitors = new VisitorService({ db, tokens: new SessionTokens(environment.secret) });
      const expiry = new ConversationExpiry(db.system);
      const expiring = new WorkLoop("deleting conversations of embeds", () => expiry.deleteDue(Date.now()), {
        db,
        untilNext: async () => {
          const at = await expiry.nextAt();
          return at && Math.max(0, at - Date.now());
        },
      });
      state = {
        expiring,
        targets,
        rows,
        visitors,
        embeds: new EmbedService({ db, targets }),
        messages: new MessageService({ db, services, targets, visitors, rows, questions: new Questions(services) }),
      };
      return {};
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) ready().expiring.start();
    },
    stop: async () => ready().expiring.stop(),
  });
}
