import type { JsonObject } from "@oven/contract";
import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineNode, defineTool, done, type ServiceMap } from "@oven/module-registry";
import {
  type Credentials,
  IMAP_PASSWORD,
  IMAP_USER,
  type ModelReply,
  type RecordedRequest,
  startImapServer,
  startModelServer,
  startTestOven,
  type TestAnswer,
  type TestOven,
} from "@oven/testing";
import { expect, vi } from "vitest";
import { z } from "zod";

/**
 * All modules, and a step `vault.open` and a tool `vault.turn` that need the permission `vault.open`, which no role but owner
 * and admin has. The model calls the tool before it answers anything, offered or not.
 */
export interface VaultStage {
  oven: TestOven;
  /** How often the vault was opened. */
  opened(): number;
  /** How often a model was asked, and how often it was offered the tool. */
  asked(): { times: number; offered: number };
  /** Whether the step fails for its own reasons. */
  jam(isJammed: boolean): void;
  mailbox: { settings: JsonObject; deliver(): void };
  /** What has to succeed. @returns the body of the answer */
  ok(method: string, path: string, body?: unknown, as?: Credentials): Promise<TestAnswer["body"]>;
  publish(definition: JsonObject, as: Credentials, more?: object): Promise<{ id: number; slug: string }>;
  /** A name that nothing has yet. */
  fresh(name: string): string;
  /** Makes the clock trigger due, and works on what is due. */
  pass(triggerId: number): Promise<void>;
  /** The runs behind an id, all kinds, once none of them moves any more. */
  runsSince(id: number): Promise<StageRun[]>;
  lastRun(): Promise<number>;
  stop(): Promise<void>;
}

type StageError = { code: string; details?: { permission?: string } };

export type StageRun = {
  id: number;
  status: string;
  /** Of the run and of its steps: a workflow may handle what a step is refused. */
  errors: StageError[];
};

const RUNS = ["workflow", "agent_workflow"]
  .map((kind) => {
    const nodes = kind === "workflow" ? "node_executions" : "agent_workflow_node_executions";
    return `select id, status, (select coalesce(json_agg(error), '[]') from
        (select error_info as error from ${nodes} where execution_id = e.id union all select e.error_info) errors
        where error is not null) as errors from ${kind}_executions e`;
  })
  .join(" union all ");

const TOOL = "vault_turn";

const toolsOf = ({ body }: RecordedRequest): string[] =>
  ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name); // cast: the wire

function reply(request: RecordedRequest): ModelReply {
  const messages = request.body.messages as { role: string }[]; // cast: the wire
  if (!messages.some(({ role }) => role === "tool")) return { toolCalls: [{ id: "c1", name: TOOL, arguments: {} }] };
  // Agents of a routed graph say who goes on.
  if (toolsOf(request).includes("end")) return { text: "Done.", toolCalls: [{ id: "c2", name: "end", arguments: {} }] };
  return { text: '{"ok": true}' };
}

export async function startVault(): Promise<VaultStage> {
  const model = await startModelServer(reply);
  const imap = await startImapServer();
  let opened = 0;
  let isJammed = false;
  let number = 0;
  const vault = defineModule({
    name: "module-vault",
    namespace: "vault",
    description: "For this test.",
    dependencies: ["module-workflows"],
    permissions: [{ id: "vault.open", title: "Open the vault" }],
    nodes: [
      defineNode({
        id: "vault.open",
        version: 1,
        title: "Open the vault",
        docs: "For this test.",
        category: "core",
        kind: "flow",
        effect: "at-least-once",
        permissions: ["vault.open"],
        retry: { maxAttempts: 1 },
        input: z.object({}),
        output: z.strictObject({}),
        run: async () => {
          if (isJammed) throw new Error("the endpoint is jammed");
          opened += 1;
          return done({});
        },
      }),
    ],
    tools: [
      defineTool({
        id: "vault.turn",
        title: "Turn the key",
        description: "Opens the vault",
        input: z.strictObject({}),
        output: z.strictObject({}),
        permission: "vault.open",
        effect: "at-least-once",
        run: async () => {
          opened += 1;
          return {};
        },
      }),
    ],
  });
  let services: Partial<ServiceMap> = {};
  const modules = installedModules({ demo: false }).map((module) => {
    const { services: build } = module;
    if (module.name !== "module-triggers" || build === undefined) return module;
    const captured: typeof build = async (deps) => {
      services = await build(deps);
      return services;
    };
    return { ...module, services: captured };
  });
  const mailServer = `127.0.0.1:${imap.port}`;
  const oven = await startTestOven({
    createRuntime,
    modules: [...modules, vault],
    environment: { variables: { OPENAI_BASE_URL: model.url }, outboundAllow: [`http://${mailServer}`] },
  });
  const ok: VaultStage["ok"] = async (method, path, body, as) => {
    const answer = await oven.call(method, path, body, as);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  await ok("POST", "secrets", { name: "mailbox", value: IMAP_PASSWORD, hosts: [mailServer] });
  const fresh = (name: string) => `${name} ${++number}`;
  const runs = (id: number) => oven.db.query<StageRun>(`select * from (${RUNS}) runs where id > $1 order by id`, [id]);
  return {
    oven,
    opened: () => opened,
    asked: () => ({
      times: model.requests.length,
      offered: model.requests.filter((request) => toolsOf(request).includes(TOOL)).length,
    }),
    jam: (isNow) => {
      isJammed = isNow;
    },
    mailbox: {
      settings: { host: "127.0.0.1", port: imap.port, encryption: "none", user: IMAP_USER, password: "mailbox" },
      deliver: () => imap.deliver(`From: ada@example.com\nSubject: ${fresh("Mail")}\n\nOpen it.\n`),
    },
    ok,
    publish: (definition, as, more = {}) =>
      ok("POST", "agent-workflows", { name: fresh("Vault"), definition, ...more }, as),
    fresh,
    pass: async (triggerId) => {
      await oven.db.query("update triggers set due_at = now() - interval '1 second' where id = $1", [triggerId]);
      await services.triggers?.tick();
    },
    runsSince: async (id) => {
      const areOver = async () => (await runs(id)).every(({ status }) => /^(completed|failed|cancelled)$/.test(status));
      await vi.waitUntil(areOver, { interval: 10, timeout: 120_000 });
      return runs(id);
    },
    lastRun: async () => {
      const [row] = await oven.db.query<{ last: number }>(
        `select coalesce(max(id), 0)::int as last from (${RUNS}) runs`,
      );
      return row?.last ?? 0;
    },
    stop: async () => {
      await oven.stop();
      await Promise.all([model.close(), imap.close()]);
    },
  };
}
