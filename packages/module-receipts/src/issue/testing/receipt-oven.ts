import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineNode,
  done,
  RUNNING_ROLES,
  type ServiceMap,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { type KeySet, verifyReceipt } from "@oven/receipts";
import { addPerson, startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { z } from "zod";
import { createReceiptsModule } from "../../receipts.module.ts";

/** Pays an amount back. */
const refund = defineNode({
  id: "shop.refund",
  version: 1,
  title: "Refund",
  docs: "Pays an amount back.",
  category: "core",
  kind: "tool",
  effect: "at-most-once",
  tags: ["money"],
  permissions: ["shop.refund"],
  input: z.strictObject({ amount: z.number() }),
  output: z.strictObject({ paid: z.number() }),
  run: async ({ input }) => done({ paid: input.amount }),
});

const review = (assignees: string[], onDone: string) => ({
  invoke: { src: "agent.humanReview", input: { show: "amount", assignees }, onDone },
});

/** A refund that the role finance releases. */
export const REFUND: JsonObject = {
  initial: "check",
  states: {
    check: review(["role:finance"], "pay"),
    pay: { invoke: { src: "shop.refund", input: { amount: "$.amount" }, onDone: "end" } },
    end: { type: "final", output: "$.pay_output" },
  },
};

/** A run of it asks `count` people in turn. */
export function asking(count: number): JsonObject {
  const names = Array.from({ length: count }, (_, index) => `ask${index}`);
  const states = names.map((name, index) => [name, review([], names[index + 1] ?? "end")]);
  return { initial: "ask0", states: { ...Object.fromEntries(states), end: { type: "final", output: "$.amount" } } };
}

/** A run of it runs another agent workflow. */
export const CALLING = (workflow: number): JsonObject => ({
  initial: "call",
  states: {
    call: {
      invoke: {
        src: "core.callWorkflow",
        input: { kind: "agent-workflow", workflow, input: { amount: 5 } },
        onDone: "end",
      },
    },
    end: { type: "final", output: "$.call_output" },
  },
});

/** An installation with a shop and receipts. */
export class ReceiptOven {
  readonly oven: TestOven;
  readonly services: ServiceMap;
  /** The key of a person who may release refunds. */
  finance = "";
  financeId = 0;

  constructor(oven: TestOven, services: ServiceMap) {
    this.oven = oven;
    this.services = services;
  }

  /** @param environment what differs from that of every test */
  static async start(
    db?: Database,
    environment: { secret?: string; previousSecrets?: string[] } = {},
  ): Promise<ReceiptOven> {
    let services: ServiceMap | undefined;
    const shop = defineModule({
      name: "module-shop",
      namespace: "shop",
      description: "A shop.",
      dependencies: [],
      nodes: [refund],
      permissions: [{ id: "shop.refund", title: "Pay back", roles: RUNNING_ROLES }],
      services: async (deps) => {
        services = deps.services;
        return {};
      },
    });
    const oven = await startTestOven({
      createRuntime,
      environment,
      ...(db === undefined ? {} : { db }),
      modules: [
        ...[createSystemModule(), createRolesModule(), createAiModule(), createAgentCoreModule()],
        ...[createWorkflowsModule(), createAgentWorkflowsModule(), createReceiptsModule(), shop],
      ],
    });
    if (services === undefined) throw new Error("the module was not asked for its services");
    const started = new ReceiptOven(oven, services);
    await oven.db.query(
      `insert into roles (name, title, permissions, tenant_id)
       values ('finance', 'Finance', '{reviews.read,reviews.decide,executions.read}', 1) on conflict do nothing`,
    );
    ({ key: started.finance, id: started.financeId } = await started.keyOf("finance"));
    return started;
  }

  /** @returns the id of the run of a new workflow */
  async run(definition: JsonObject, input: JsonObject = { amount: 5 }): Promise<{ run: number; workflow: number }> {
    const name = `Refund ${randomUUID()}`;
    const workflow = await this.call("POST", "agent-workflows", { name, definition });
    const run = await this.call("POST", `agent-workflows/${workflow.id}/execute?wait=20`, { input });
    return { run: run.id, workflow: workflow.id };
  }

  /** As `approveAll`, with the runs that it calls. */
  approveFamily(run: number): Promise<void> {
    return this.approveAll(run, "family");
  }

  /** Lets finance approve whatever the run asks, until it has ended. */
  async approveAll(run: number, whose: "executionId" | "family" = "executionId"): Promise<void> {
    for (;;) {
      const { status, error } = await this.call("GET", `agent-workflow-executions/${run}`);
      if (status === "completed") return;
      if (isTerminal(status)) throw new Error(`run ${run} is ${status}: ${error}`);
      const [open] = await this.call("GET", `reviews?filter={"${whose}":${run},"status":"open"}`);
      if (open === undefined) await setImmediate();
      else
        await this.call("POST", `reviews/${open.id}/decide`, { action: "approve", digest: open.digest }, this.finance);
    }
  }

  /** As the administrator, unless another key is named. @throws Error with what was refused */
  async call(method: string, path: string, body?: unknown, key?: string): Promise<TestAnswer["body"]> {
    const answer = await this.oven.call(method, path, body, key === undefined ? {} : { key });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async file(run: number, query = ""): Promise<Buffer> {
    return this.#bytes(`agent-workflow-executions/${run}/receipt${query}`);
  }

  async log(run: number): Promise<Buffer> {
    return this.#bytes(`agent-workflow-executions/${run}/receipt/log`);
  }

  async keys(): Promise<KeySet> {
    return (await this.oven.call("GET", ".well-known/oven-receipts.json", undefined, { key: null })).body;
  }

  /** With all that the installation gives out. */
  async verify(run: number, query = "?certificate=true"): Promise<ReturnType<typeof verifyReceipt>> {
    const [file, log] = [await this.file(run, query), await this.log(run)];
    return verifyReceipt({ file, log, keys: await this.keys() });
  }

  /** A new person with a role, and a key of theirs. */
  async keyOf(role: string, tenantId = 1, workflows: string[] | null = null): Promise<{ id: number; key: string }> {
    return addPerson(this.oven.db, role, { tenantId, workflows });
  }

  async #bytes(path: string): Promise<Buffer> {
    const response = await this.oven.fetch(path);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${bytes.toString()}`);
    return bytes;
  }
}
