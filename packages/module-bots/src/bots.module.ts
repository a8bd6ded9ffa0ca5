import { type Clock, databaseClock } from "@oven/db";
import {
  defineModule,
  type Listener,
  type ModuleDefinition,
  READING_ROLES,
  type SelectiveListener,
  type UnwrittenEvent,
  WorkLoop,
} from "@oven/module-registry";
import { botRoutes } from "./bots/bot.routes.ts";
import { BotService } from "./bots/bot-service.ts";
import { addBotRetention, botsConfigKeys } from "./bots-config.ts";
import { BotIntake } from "./intake/bot-intake.ts";
import { Inbox } from "./intake/inbox.ts";
import { intakeRoutes } from "./intake/intake.routes.ts";
import { menuItems, resources } from "./menu.ts";
import { MessageRows } from "./messages/message-rows.ts";
import { MessageWorker } from "./messages/message-worker.ts";
import { FROM_BOT } from "./messages/start-answer.ts";
import { SlackMessenger } from "./messengers/slack-messenger.ts";
import { TeamsMessenger } from "./messengers/teams-messenger.ts";
import { personData } from "./person-data.ts";
import * as schema from "./schema.ts";

declare module "@oven/module-registry" {
  interface ServiceMap {
    bots: BotsFace;
  }
}

export interface BotsFace {
  /** Answers what is due; exposed for simulations, the module does it by itself. */
  tick(): Promise<void>;
}

export interface BotsOptions {
  /** Default: the database's clock. */
  clock?: Clock;
}

interface State {
  bots: BotService;
  intake: BotIntake;
  rows: MessageRows;
  loop: WorkLoop;
  clock: Clock;
}

/** Bots in Slack and Microsoft Teams that agents and workflows answer for. */
export function createBotsModule({ clock: givenClock }: BotsOptions = {}): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-bots was not started by a runtime");
    return state;
  };
  const onRun: Listener = async ({ tenantId }) => {
    const { rows, clock, loop } = ready();
    if (await rows.runsChanged(tenantId, await clock())) loop.wake();
  };
  const runChanged: SelectiveListener = { handle: onRun, concerns: mayAnswer };
  const moments = ["execution.completed", "execution.failed", "execution.cancelled", "review.opened"];
  return defineModule({
    name: "module-bots",
    namespace: "bots",
    description: "Bots in Slack and Microsoft Teams that agents and workflows answer for.",
    dependencies: ["module-registry", "module-roles", "module-workflows", "module-chat", "module-notifications"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      { id: "bots.read", title: "See bots in Slack and Microsoft Teams", roles: READING_ROLES },
      { id: "bots.create", title: "Connect bots" },
      { id: "bots.update", title: "Change bots" },
      { id: "bots.delete", title: "Delete bots" },
    ],
    configSchema: botsConfigKeys,
    resources,
    menuItems,
    personData,
    events: {
      emits: {},
      listeners: Object.fromEntries(
        ["workflows", "agents-workflow"].flatMap((namespace) =>
          moments.map((moment) => [`${namespace}.${moment}`, runChanged] as const),
        ),
      ),
    },
    routes: [...botRoutes(ready), ...intakeRoutes(ready)],
    services: async ({ db, services, environment }) => {
      const { system } = db;
      const clock = givenClock ?? databaseClock(system);
      addBotRetention(services.workflowPlatform);
      const rows = new MessageRows(system);
      const messengers = {
        "slack-app": new SlackMessenger(services.messengers),
        teams: new TeamsMessenger(services.messengers),
      };
      const { publicUrl } = environment;
      const worker = new MessageWorker({ db: system, services, clock, publicUrl, rows, messengers });
      const loop = new WorkLoop("answering messages to bots", () => worker.workDue(), {
        db,
        untilNext: async () => {
          const at = await rows.nextAt();
          return at && Math.max(0, at.getTime() - (await clock()).getTime());
        },
      });
      const bots = new BotService({ db, services });
      const inbox = new Inbox({ db, clock, onArrival: () => loop.wake() });
      state = { bots, intake: new BotIntake({ services, bots, inbox }), rows, loop, clock };
      return { bots: { tick: () => worker.workDue() } };
    },
    start: async ({ environment }) => {
      if (environment.worker?.enabled !== false) ready().loop.start();
    },
    stop: async () => ready().loop.stop(),
  });
}

/** A bot's run is an agent's, or one that it started of a workflow; a review may be of a run inside of it. */
function mayAnswer({ run }: UnwrittenEvent): boolean {
  return run === undefined || run.agentId !== null || run.parentId !== null || run.triggerEvent === FROM_BOT;
}
