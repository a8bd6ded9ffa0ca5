import { createHash, randomUUID } from "node:crypto";
import type { JsonObject } from "@oven/contract";
import { ReviewRequestSchema } from "@oven/contract/node";
import { type ReviewPolicy, ReviewPolicySchema } from "@oven/contract/review";
import type { Database } from "@oven/db";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineNode,
  done,
  type ServiceMap,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { z } from "zod";
import type { WorkflowPlatform } from "../../platform.ts";
import { type GraphFacts, NO_FACTS } from "../../policies/graph-facts.ts";
import { createWorkflowsModule } from "../../workflows.module.ts";
import type { ReviewService } from "../review-service.ts";

export interface Person {
  id: number;
  email: string;
  call(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

/** Asks for whatever review its input describes, and answers with the decision. */
export const ask = defineNode({
  id: "test.ask",
  version: 1,
  title: "Ask",
  docs: "Asks for a review.",
  category: "core",
  kind: "human",
  effect: "pure",
  input: z.strictObject({ request: ReviewRequestSchema }),
  output: z.looseObject({}),
  run: async ({ input }) => ({ type: "wait", for: "review", request: input.request }),
  resume: async (_context, signal) => {
    if (signal.type !== "decision") throw new Error(`not a decision: ${signal.type}`);
    const { action, data, reason, reviewer } = signal;
    return done({ action, data, reason, reviewer, review: signal.review ?? null });
  },
});

/** Modules with roles, people and one workflow per review. */
export class ReviewedOven {
  readonly oven: TestOven;
  readonly #services: ServiceMap;
  #count = 0;

  static async start(db: Database): Promise<ReviewedOven> {
    let services: ServiceMap | undefined;
    const tests = defineModule({
      name: "module-test",
      namespace: "test",
      description: "A node that asks.",
      dependencies: [],
      nodes: [ask],
      services: async (deps) => {
        services = deps.services;
        return {};
      },
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    const oven = await startTestOven({ createRuntime, db, modules });
    if (services === undefined) throw new Error("the module was not asked for its services");
    return new ReviewedOven(oven, services);
  }

  constructor(oven: TestOven, services: ServiceMap) {
    this.oven = oven;
    this.#services = services;
  }

  /** The service itself, for what the router would not let through. */
  get reviews(): ReviewService {
    return this.#services.workflowPlatform.reviews;
  }

  get platform(): WorkflowPlatform {
    return this.#services.workflowPlatform;
  }

  /** As a module with tools has it. */
  knowTools(tool: GraphFacts["tool"]): void {
    this.#services.workflowPlatform.policies.useFacts(() => ({ ...NO_FACTS, tool }));
  }

  async person(role: string): Promise<Person> {
    const email = `${randomUUID()}@Example.com`;
    const [user] = await this.oven.db.query<{ id: number }>(
      "insert into users (name, email, tenant_id) values ($1, $2, 1) returning id",
      [`The ${role}`, email],
    );
    const id = user?.id ?? 0;
    await this.oven.db.query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, 1)", [id, role]);
    return this.keyOf({ id, email });
  }

  /** The same person with another key, bound to `workflows` where they are given. */
  async keyOf({ id, email }: Pick<Person, "id" | "email">, workflows: string[] | null = null): Promise<Person> {
    const key = `oven_test_${randomUUID()}`;
    await this.oven.db.query(
      "insert into api_keys (name, key, reference_id, permissions, tenant_id, workflows) values ('test', $1, $2::text, $3, 1, $4)",
      [createHash("sha256").update(key).digest("base64url"), id, JSON.stringify({ "*": ["*"] }), workflows],
    );
    return { id, email, call: (method, path, body) => this.oven.call(method, path, body, { key }) };
  }

  people(count: number, role: string): Promise<Person[]> {
    return Promise.all(Array.from({ length: count }, () => this.person(role)));
  }

  /** Starts a run that asks; by the administrator, unless somebody else is named. */
  async ask(
    request: {
      assignees?: string[];
      policy?: Partial<ReviewPolicy>;
      dueAt?: string;
      schema?: JsonObject;
      tool?: string;
      title?: string;
      proposal?: JsonObject;
      context?: JsonObject;
    },
    by: Pick<Person, "call"> = this.oven,
  ): Promise<{ run: number; review: number; digest: string }> {
    const { policy, ...rest } = request;
    const asked = { title: "May I?", proposal: { amount: 5 }, ...rest, policy: ReviewPolicySchema.parse(policy ?? {}) };
    const definition = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "test.ask", input: { request: { $literal: asked } }, onDone: "done", onError: "late" } },
        done: { type: "final", output: "$.ask_output" },
        late: { type: "final", outcome: "late", output: "$.ask_error.code" },
      },
    };
    this.#count += 1;
    const { body: workflow } = await this.oven.call("POST", "workflows", { name: `Asks ${this.#count}`, definition });
    const { body: run } = await by.call("POST", `workflows/${workflow.id}/execute?wait=20`, {});
    const { body: rows } = await this.oven.call("GET", `reviews?filter={"executionId":${run.id}}`);
    return { run: run.id, review: rows[0].id, digest: rows[0].digest };
  }

  async run(id: number): Promise<JsonObject> {
    return (await this.oven.call("GET", `workflow-executions/${id}`)).body;
  }

  async review(id: number): Promise<TestAnswer["body"]> {
    return (await this.oven.call("GET", `reviews/${id}`)).body;
  }

  /** What the run's log says of its reviews. */
  async said(run: number): Promise<{ event: string; fields: JsonObject }[]> {
    return this.oven.db.query(
      "select event, fields from run_events where execution_id = $1 and event like 'review.%' order by seq",
      [run],
    );
  }
}
