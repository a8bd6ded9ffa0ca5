import {
  defineModule,
  type ModuleDefinition,
  RUNNING_ROLES,
  type SelectiveListener,
  type UnwrittenEvent,
} from "@oven/module-registry";
import { RunWatch } from "@oven/module-workflows";
import { AskService } from "./asks/ask-service.ts";
import { menuItems, resources } from "./menu.ts";
import { personData } from "./person-data.ts";
import { chatRoutes } from "./routes/chat.routes.ts";
import * as schema from "./schema.ts";
import { ChatSessionService } from "./sessions/chat-session-service.ts";
import { createChatsFace } from "./sessions/chats-face.ts";
import { TargetService } from "./targets/target-service.ts";
import { FROM_CHAT, TurnService } from "./turns/turn-service.ts";
import { TurnThumbs } from "./turns/turn-thumbs.ts";

interface State {
  targets: TargetService;
  sessions: ChatSessionService;
  turns: TurnService;
  thumbs: TurnThumbs;
  forgetAgent(tenantId: number, agentId: number): Promise<void>;
}

/** Chats of people with agents and workflows. */
export function createChatModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-chat was not started by a runtime");
    return state;
  };
  const onEnd: SelectiveListener = {
    handle: async ({ payload }) => {
      if (typeof payload.id === "number") await ready().turns.ended(payload.id);
    },
    concerns: mayBeTurn,
  };
  const ends = ["workflows", "agents-workflow"].flatMap((namespace) =>
    ["completed", "failed", "cancelled"].map((end) => [`${namespace}.execution.${end}`, onEnd] as const),
  );
  return defineModule({
    name: "module-chat",
    namespace: "chat",
    description: "Chats with agents and workflows, in which each message is a run.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core", "module-workflow-agents"],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [{ id: "chats.use", title: "Chat with agents and workflows", roles: RUNNING_ROLES }],
    resources,
    menuItems,
    events: {
      emits: {},
      listeners: {
        ...Object.fromEntries(ends),
        "agents.agent.deleted": async ({ tenantId, payload }) => {
          if (typeof payload.id === "number") await ready().forgetAgent(tenantId, payload.id);
        },
      },
    },
    routes: chatRoutes(ready),
    services: async ({ db, services, environment }) => {
      const targets = new TargetService(services);
      const sessions = new ChatSessionService({ db, services, targets });
      state = {
        targets,
        sessions,
        turns: new TurnService({ db, services, sessions, watch: new RunWatch() }),
        thumbs: new TurnThumbs({ db, services }),
        forgetAgent: (tenantId, agentId) => sessions.forgetAgent(db.system, tenantId, agentId),
      };
      services.workflowPlatform.conversations.add((id, trigger) => ready().turns.conversationOf(id, trigger));
      return {
        chats: createChatsFace(state.sessions, state.turns),
        asks: new AskService({ services, targets, publicUrl: environment.publicUrl }),
      };
    },
  });
}

/**
 * A turn's run is one that the chat started of a workflow, or an agent's: whatever was said in an agent's conversation, over
 * REST and from other runs too, becomes a turn of its chat. A run that is tried again outside of the chat is no turn of it.
 */
function mayBeTurn({ run }: UnwrittenEvent): boolean {
  return run === undefined || run.agentId !== null || run.triggerEvent === FROM_CHAT;
}
