import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import type { OutsideServer } from "@oven/testing";
import { type ModelScript, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { createMcpConnectionsModule, type McpConnectionsOptions } from "../../mcp-connections.module.ts";

export interface ConnectedOven extends TestOven {
  model: ModelServer;
  /** Connects a server and approves its tools, so that calls need no person. */
  connect(name: string, server: Pick<OutsideServer, "url">, settings?: object): Promise<number>;
  approveAll(id: number, settings?: object): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  tools(id: number): Promise<any[]>;
  /** Makes an agent workflow of one tool loop, and runs it to its end or a pause. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  run(tools: string[], prompt?: string, model?: string): Promise<any>;
}

interface Options extends McpConnectionsOptions {
  allow: readonly string[];
  db?: TestOven["db"];
}

/** The modules that agents need beside this one, with a scripted model at the other end of the wire. */
export async function startConnectedOven(script: ModelScript, options: Options): Promise<ConnectedOven> {
  const { allow, db, ...settings } = options;
  const model = await startModelServer(script, { models: ["house-model", "house-vision"] });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createMcpConnectionsModule(settings),
    ],
    environment: { variables: { OPENAI_BASE_URL: model.url }, outboundAllow: allow },
    ...(db === undefined ? {} : { db }),
  });
  let made = 0;
  const connected: ConnectedOven = {
    ...oven,
    model,
    tools: async (id) => (await oven.call("GET", `mcp-connections/${id}/tools`)).body,
    async connect(name, server, more = {}) {
      const { status, body } = await oven.call("POST", "mcp-connections", { name, url: server.url, ...more });
      if (status !== 201) throw new Error(JSON.stringify(body));
      await connected.approveAll(body.id);
      return body.id;
    },
    async approveAll(id, more = {}) {
      for (const { id: toolId, listedHash, state } of await connected.tools(id)) {
        if (state !== "new" && state !== "changed") continue;
        const path = `mcp-connections/${id}/tools/${toolId}/approve`;
        const answer = await oven.call("POST", path, { hash: listedHash, needsApproval: false, ...more });
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      }
    },
    async run(tools, prompt = "go", model = "house-model") {
      const name = `Run ${++made}-${Math.random().toString(36).slice(2)}`;
      const definition = {
        initial: "work",
        states: {
          work: {
            invoke: { src: "agent.toolLoop", input: { prompt, tools, model: `openai:${model}` }, onDone: "done" },
          },
          done: { type: "final", output: "$.work_output.text" },
        },
      };
      const workflow = await oven.call("POST", "agent-workflows", { name, definition });
      if (workflow.status !== 201) throw new Error(JSON.stringify(workflow.body));
      return (await oven.call("POST", `agent-workflows/${workflow.body.id}/execute?wait=30`, { input: {} })).body;
    },
    async stop() {
      await oven.stop();
      await model.close();
    },
  };
  return connected;
}
