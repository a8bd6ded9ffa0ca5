import type { TestOven } from "@oven/testing";

/** Lets MCP clients of this installation decide reviews of runs that they have started. */
export async function allowOwnDecisions({ call }: Pick<TestOven, "call">): Promise<void> {
  const set = { moduleName: "module-workflow-agents", key: "MCP_DECIDE_OWN_RUNS", value: true };
  const { status, body } = await call("POST", "module-configs", set);
  if (status !== 201) throw new Error(`MCP_DECIDE_OWN_RUNS was not set: ${JSON.stringify(body)}`);
}
