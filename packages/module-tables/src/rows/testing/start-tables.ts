import type { Json, JsonObject } from "@oven/contract";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule, type ServiceMap } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { createTablesModule } from "../../tables.module.ts";

export interface TablesOven extends TestOven {
  services(): ServiceMap;
  /** Makes a table; answers it. @throws Error what the API refuses it for */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  make(slug: string, columns: readonly JsonObject[], more?: JsonObject): Promise<any>;
  /** Adds rows; answers them. @throws Error what the API refuses them for */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  add(table: string, ...rows: JsonObject[]): Promise<any[]>;
  /** Values of the rows that a query finds. */
  values(table: string, query?: string): Promise<JsonObject[]>;
  /** Runs one step to the end of its run. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  run(src: string, input: JsonObject, trigger?: Json): Promise<any>;
}

/** The modules that tables need, with an administrator's key. */
export async function startTables(db?: TestOven["db"]): Promise<TablesOven> {
  let services: ServiceMap | undefined;
  const oven = await startTestOven({
    createRuntime: async (options: Parameters<typeof createRuntime>[0]) => {
      const runtime = await createRuntime(options);
      services = runtime.services;
      return runtime;
    },
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createTablesModule(),
    ],
    ...(db === undefined ? {} : { db }),
  });
  let made = 0;
  return {
    ...oven,
    services() {
      if (services === undefined) throw new Error("there is no runtime");
      return services;
    },
    make: async (slug, columns, more = {}) =>
      expectStatus(201, await oven.call("POST", "tables", { name: slug, slug, columns, ...more })),
    add: async (table, ...rows) => expectStatus(201, await oven.call("POST", `tables/${table}/rows`, { rows })).rows,
    values: async (table, query = "") =>
      expectStatus(200, await oven.call("GET", `tables/${table}/rows${query}`)).map(
        ({ values }: { values: JsonObject }) => values,
      ),
    async run(src, input, trigger = {}) {
      const definition = {
        initial: "step",
        states: {
          step: { invoke: { src, input, retry: { maxAttempts: 1 }, onDone: "done" } },
          done: { type: "final", output: "$.step_output" },
        },
      };
      const { id } = expectStatus(201, await oven.call("POST", "workflows", { name: `Run ${++made}`, definition }));
      return (await oven.call("POST", `workflows/${id}/execute?wait=30`, { input: trigger })).body;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
function expectStatus(status: number, answer: TestAnswer): any {
  if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
