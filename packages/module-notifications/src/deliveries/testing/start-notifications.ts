import { randomUUID } from "node:crypto";
import type { JsonObject } from "@oven/contract";
import { ReviewRequestSchema } from "@oven/contract/node";
import type { Notification, NotificationDelivery, NotificationRule } from "@oven/contract/system";
import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineNode,
  done,
  type EventService,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import { addPerson, startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { z } from "zod";
import type { MailSettings } from "../../channels/mail-sender.ts";
import { createNotificationsModule, type NotificationsService } from "../../notifications.module.ts";

export interface TestClock {
  now: Date;
}

export interface Person {
  id: number;
  email: string;
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  inbox(): Promise<Notification[]>;
}

/** A server with notifications on a clock that the test moves; several may share a database. */
export interface TestNotifications {
  oven: TestOven;
  db: Database;
  service: NotificationsService;
  /** Everything that is due at the clock's time. */
  tick(): Promise<void>;
  person(role?: string): Promise<Person>;
  rule(body: object): Promise<NotificationRule>;
  deliveries(ruleId: number): Promise<NotificationDelivery[]>;
  /** A workflow that ends as it is told by its input: `{fail: message}`, or `{ask: …}` for a review. */
  workflow(name?: string): Promise<number>;
  /** The id of a run of that workflow, and the review that it opened. */
  run(workflowId: number, input?: object, by?: Person): Promise<{ run: number; review: number }>;
  /** Something of another module happens. */
  happen(name: string, payload: JsonObject): Promise<void>;
  /** Until every event so far has been handed to its listeners. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const ask = defineNode({
  id: "test.ask",
  version: 1,
  title: "Ask",
  docs: "Asks for a review.",
  category: "core",
  kind: "human",
  effect: "pure",
  input: z.strictObject({ request: z.looseObject({}) }),
  output: z.looseObject({}),
  run: async ({ input }) => ({ type: "wait", for: "review", request: ReviewRequestSchema.parse(input.request) }),
  resume: async () => done({}),
});

const condition = (key: string) => ({ type: "condition", params: { key, operator: "exists" } });
const DEFINITION = {
  initial: "look",
  states: {
    look: {
      invoke: {
        src: "core.log",
        input: { message: "hello" },
        onDone: [
          { target: "fail", guard: condition("$.trigger.fail") },
          { target: "ask", guard: condition("$.trigger.ask") },
          { target: "done" },
        ],
      },
    },
    fail: { invoke: { src: "core.fail", input: { message: "{{ $.trigger.fail }}" }, onDone: "done" } },
    ask: { invoke: { src: "test.ask", input: { request: "$.trigger.ask" }, onDone: "done" } },
    done: { type: "final" },
  },
};

export async function startNotifications(
  clock: TestClock,
  {
    db: shared,
    mail,
    outboundAllow = [],
    variables = {},
  }: { db?: Database; mail?: MailSettings; outboundAllow?: string[]; variables?: Record<string, string> } = {},
): Promise<TestNotifications> {
  const db = shared ?? (await createTestPglite());
  let service: NotificationsService | undefined;
  let events: EventService | undefined;
  const notifications = createNotificationsModule({
    clock: async () => new Date(clock.now),
    now: () => clock.now.getTime(),
    ...(mail === undefined ? {} : { mail }),
  });
  const build = notifications.services;
  const modules = [
    createSystemModule(),
    createRolesModule(),
    createWorkflowsModule(),
    defineModule({ name: "module-test", namespace: "test", description: "", dependencies: [], nodes: [ask] }),
    {
      ...notifications,
      services: async (deps: Parameters<NonNullable<typeof build>>[0]) => {
        const services = (await build?.(deps)) ?? {};
        service = services.notifications;
        events = deps.services.events;
        return services;
      },
      // Nothing is sent between two ticks of the test.
      start: async () => undefined,
    },
  ];
  const oven = await startTestOven({ createRuntime, modules, db, environment: { outboundAllow, variables } });
  if (service === undefined) throw new Error("the module was not asked for its services");
  const started = service;
  const settled = async (): Promise<void> => {
    for (;;) {
      const [row] = await db.query<{ open: number }>(
        "select count(*)::int as open from outbox_events where delivered_at is null",
      );
      if (row?.open === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    oven,
    db,
    service: started,
    settled,
    tick: async () => {
      await settled();
      await started.tick();
    },
    person: async (role = "editor") => {
      const { id, email, key } = await addPerson(db, role, { name: role });
      const call: Person["call"] = (method, path, body) => oven.call(method, path, body, { key });
      return {
        id,
        email,
        call,
        inbox: async () => (await call("GET", `notifications?sort=["id","ASC"]&range=[0,99]`)).body,
      };
    },
    happen: async (name, payload) => {
      const event = { name, tenantId: 1, actor: { kind: "system", id: null } as const, payload };
      await db.transaction(async (tx) => events?.write(tx, [event]));
      events?.wake();
    },
    rule: async (body) => {
      const { status, body: made } = await oven.call("POST", "notification-rules", { name: "Rule", ...body });
      if (status !== 201) throw new Error(JSON.stringify(made));
      return made;
    },
    deliveries: async (ruleId) => {
      const filter = encodeURIComponent(JSON.stringify({ ruleId }));
      return (await oven.call("GET", `notification-deliveries?filter=${filter}&range=[0,99]`)).body;
    },
    workflow: async (name = `Flow ${randomUUID()}`) =>
      (await oven.call("POST", "workflows", { name, definition: DEFINITION })).body.id,
    run: async (workflowId, input = {}, by) => {
      const { status, body } = await (by ?? oven).call("POST", `workflows/${workflowId}/execute?wait=20`, { input });
      if (status >= 300) throw new Error(JSON.stringify(body));
      const { body: reviews } = await oven.call("GET", `reviews?filter={"executionId":${body.id}}`);
      return { run: body.id, review: reviews[0]?.id ?? 0 };
    },
    stop: async () => {
      await oven.stop();
      if (shared === undefined) await db.close();
    },
  };
}
