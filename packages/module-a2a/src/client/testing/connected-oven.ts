import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { createA2aModule } from "../../a2a.module.ts";

/** The modules that agents need beside this one, with a scripted model at the other end of the wire. */
export async function startA2aOven({ allow, db }: { allow: readonly string[]; db?: TestOven["db"] }) {
  const model: ModelServer = await startModelServer([], { models: ["house-model"] });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createA2aModule(),
    ],
    environment: { variables: { OPENAI_BASE_URL: model.url }, outboundAllow: allow },
    ...(db === undefined ? {} : { db }),
  });
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await oven.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...oven,
    model,
    ok,
    /** Connects an agent and approves it, so that messages need no person. */
    async connect(name: string, url: string, more: object = {}) {
      const { id, cardHash } = await ok("POST", "a2a-connections", { name, url, ...more });
      await ok("POST", `a2a-connections/${id}/approve`, { hash: cardHash, needsApproval: false });
      return id as number;
    },
    /** A run of one step that asks the agent; @returns its id */
    async ask(connection: string, message: string): Promise<number> {
      const invoke = {
        src: "a2a.askAgent",
        input: { tool: `a2a.${connection}.ask`, arguments: { message } },
        onDone: "done",
      };
      const definition = {
        initial: "ask",
        states: { ask: { invoke }, done: { type: "final", output: "$.ask_output" } },
      };
      const { id } = await ok("POST", "agent-workflows", { name: `Ask ${crypto.randomUUID()}`, definition });
      return (await ok("POST", `agent-workflows/${id}/execute`, { input: {} })).id;
    },
    async run(id: number) {
      return ok("GET", `agent-workflow-executions/${id}`);
    },
    async questions(run: number) {
      return ok("GET", `reviews?filter={"executionId":${run},"status":"open"}`);
    },
    async stop() {
      await oven.stop();
      await model.close();
    },
  };
}
