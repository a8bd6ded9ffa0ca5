import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createChatModule } from "@oven/module-chat";
import { createNotificationsModule, type NotificationsService } from "@oven/module-notifications";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineTool,
  RUNNING_ROLES,
  type ServiceMap,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { addPerson, type ModelServer, startTestOven, type TestOven } from "@oven/testing";
import { z } from "zod";
import { type BotsFace, createBotsModule } from "../../bots.module.ts";

export interface BotsOven extends TestOven {
  /** What starts runs. */
  asks: ServiceMap["asks"];
  /** Runs of the tool that needs approval. */
  paid: unknown[];
  /** Answers what is due at the clock's time, as often as needed until all messages have ended or wait for people. */
  tick(): Promise<void>;
  /** Once: what is due is worked on until it waits. */
  once(): Promise<void>;
  /** Changes messages about reviews that changed. */
  notify(): Promise<void>;
  /** Until no run goes on that a decision has woken. */
  resumed(): Promise<void>;
  /** The key of an owner of a tenant. */
  owner(tenantId: number): Promise<string>;
  /** A new person with a role, whose account in the messenger is linked. */
  person(role: string, account?: string): Promise<{ id: number; key: string }>;
}

/**
 * What bots need, and a shop, with a scripted model server at the other end of the wire.
 * @param clock one that the test moves, with which nothing is answered between two ticks; or one that goes by itself, as the answering does
 */
export async function startBots(
  clock: { now: Date } | (() => Date),
  { server, db, outboundAllow }: { server: Pick<ModelServer, "url">; db: Database; outboundAllow: string[] },
): Promise<BotsOven> {
  const paid: unknown[] = [];
  const isFree = typeof clock === "function";
  const read = isFree ? clock : () => new Date(clock.now);
  const now = async () => read();
  const tool = (id: string, needsApproval: boolean) =>
    defineTool({
      id,
      title: `Tool ${id}`,
      description: `What ${id} does`,
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      permission: "shop.use",
      effect: needsApproval ? "at-most-once" : "pure",
      needsApproval,
      run: async ({ input }) => {
        if (needsApproval) paid.push(input);
        return { seen: input.id };
      },
    });
  let face: BotsFace | undefined;
  let notifications: NotificationsService | undefined;
  let asks: ServiceMap["asks"] | undefined;
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: ["module-bots"],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    tools: [tool("shop.get", false), tool("shop.pay", true)],
    services: async ({ services }) => {
      face = services.bots;
      notifications = services.notifications;
      asks = services.asks;
      return {};
    },
  });
  const still = isFree ? {} : { start: async () => undefined };
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      { ...createNotificationsModule({ clock: now, now: () => read().getTime() }), ...still },
      createChatModule(),
      { ...createBotsModule({ clock: now }), ...still },
      shop,
    ],
    db,
    environment: { outboundAllow, variables: { OPENAI_BASE_URL: server.url } },
  });
  if (face === undefined || notifications === undefined || asks === undefined)
    throw new Error("the modules did not start");
  const [bots, told] = [face, notifications];
  const open = async (): Promise<number> => {
    const [row] = await db.query<{ open: number }>(
      `select count(*)::int as open from bot_messages where ended_at is null and status in ('received', 'running', 'answering')
         and next_attempt_at <= $1 or status = 'running'`,
      [read().toISOString()],
    );
    return row?.open ?? 0;
  };
  return {
    ...oven,
    asks,
    paid,
    once: () => bots.tick(),
    notify: () => told.tick(),
    tick: async () => {
      for (;;) {
        await bots.tick();
        if ((await open()) === 0) return;
        // The next look of a run that goes on is half a minute away: the clock of the test does not wait for it.
        await db.query("update bot_messages set next_attempt_at = $1 where status = 'running'", [read().toISOString()]);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    resumed: async () => {
      for (;;) {
        const [row] = await db.query<{ open: number }>(
          "select count(*)::int as open from agent_workflow_executions where status in ('pending', 'running')",
        );
        if (row?.open === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await db.query("update bot_messages set next_attempt_at = $1 where status = 'waiting'", [read().toISOString()]);
    },
    owner: async (tenantId) => (await addPerson(db, "owner", { tenantId })).key,
    person: async (role, account) => {
      const person = await addPerson(db, role, { name: role });
      if (account !== undefined) await link(db, person.id, account);
      return person;
    },
  };
}

/** As if the person had confirmed the address that the bot offered last to the account. */
async function link(db: Database, userId: number, account: string): Promise<void> {
  const linked = await db.query(
    `insert into notification_linked_accounts (tenant_id, user_id, provider, workspace, account, name, proof)
     select tenant_id, $1, provider, workspace, account, name, proof from notification_account_links where account = $2 returning id`,
    [userId, account],
  );
  if (linked.length === 0) throw new Error(`no address was offered to ${account}`);
}
