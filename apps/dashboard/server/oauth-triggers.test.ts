import { installedModules } from "@oven/installation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { joinPerson, type OAuthPerson } from "./testing/oauth-person.ts";

const SCOPE = "triggers.create agent-workflows.execute agent-workflows.read offline_access";
const WAITS = {
  initial: "wait",
  states: {
    wait: { invoke: { src: "core.waitForEvent", input: { event: "app.go" }, onDone: "list" } },
    list: { invoke: { src: "agents-workflow.agentWorkflows.list", onDone: "done" } },
    done: { type: "final" },
  },
};

/* What a program with an OAuth token begins in a person's name ends with that program. */
describe("a trigger that a program saved in a person's name", () => {
  let endpoint: McpEndpoint;
  let person: OAuthPerson;
  let saver: string;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: false }) });
    person = await joinPerson(endpoint, "ada@example.com", ["editor"]);
    const { id: workflowId } = await ok("POST", "agent-workflows", { name: "Waits", definition: WAITS });
    const trigger = { type: "manual", name: "Of a program", target: { kind: "agent-workflow", workflowId } };
    const save = { src: "triggers.triggers.create", input: trigger, onDone: "done" };
    const definition = { initial: "save", states: { save: { invoke: save }, done: { type: "final" } } };
    saver = (await ok("POST", "agent-workflows", { name: "Saves", definition })).slug;
  });
  afterAll(() => endpoint.close());

  async function ok(method: string, path: string, body?: unknown) {
    const answer = await endpoint.oven.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }

  async function saved(): Promise<{ trigger: number; tokens: Awaited<ReturnType<OAuthPerson["connect"]>> }> {
    const tokens = await person.connect({ resource: endpoint.urlOf("oven").href, scope: SCOPE });
    const client = await endpoint.connect("oven", { key: tokens.access_token });
    const { structuredContent } = await client.callTool({
      name: "execute_agent_workflow",
      arguments: { workflow_id: saver, input: {} },
    });
    const { run_id: id } = structuredContent as { run_id: number }; // cast: the answer of that tool
    const run = () => ok("GET", `agent-workflow-executions/${id}`);
    await expect.poll(async () => (await run()).status, { interval: 10 }).toMatch(/^(completed|failed)$/);
    const { error, context } = await run();
    expect(error).toBeNull();
    const trigger = context.save_output.id;
    const [row] = await endpoint.oven.db.query("select runs_with_app from triggers where id = $1", [trigger]);
    expect(row).toEqual({ runs_with_app: tokens.clientId });
    return { trigger, tokens };
  }

  async function fire(trigger: number): Promise<{ decision: string; reason: string | null; executionId: number }> {
    const fired = await ok("POST", `triggers/${trigger}/fire`, {});
    const filter = encodeURIComponent(JSON.stringify({ triggerId: trigger }));
    const log = `trigger-deliveries?sort=["id","DESC"]&filter=${filter}`;
    const newest = async () => (await ok("GET", log))[0];
    await expect.poll(async () => (await newest()).decision, { interval: 10 }).toMatch(/^(started|refused)$/);
    const { decision, reason } = await newest();
    return { decision, reason, executionId: Number(fired.executionId) };
  }

  async function disconnect(clientId: string): Promise<void> {
    const [consent] = await endpoint.oven.db.query<{ id: number }>(
      "select id from oauth_consents where client_id = $1",
      [clientId],
    );
    await ok("DELETE", `connected-apps/${consent?.id}`);
  }

  it("starts nothing any more once the program is disconnected, nor does what it started go on", async () => {
    const { trigger, tokens } = await saved();
    const { decision, executionId } = await fire(trigger);
    expect(decision).toBe("started");
    const path = `agent-workflow-executions/${executionId}`;
    const status = async () => (await ok("GET", path)).status;
    await expect.poll(status, { interval: 10 }).toBe("paused");
    await disconnect(tokens.clientId);
    expect(await fire(trigger)).toMatchObject({
      decision: "refused",
      reason: "The program that saved this trigger is no longer connected",
    });
    await ok("POST", `${path}/events`, { event: "app.go" });
    await expect.poll(status, { interval: 10 }).toBe("failed");
    expect((await ok("GET", path)).error).toContain("which the program that started the run (disconnected now) lacks");
  });

  it("starts nothing any more once the program revoked its refresh token, and is not ended by an expired one", async () => {
    const { trigger, tokens } = await saved();
    await endpoint.oven.db.query(
      `update oauth_refresh_tokens set expires_at = now() - interval '1 day' where client_id = $1`,
      [tokens.clientId],
    );
    expect((await fire(trigger)).decision).toBe("started");
    const revoked = await fetch(`${endpoint.origin}/api/auth/oauth2/revoke`, {
      method: "POST",
      body: new URLSearchParams({
        client_id: tokens.clientId,
        token: tokens.refresh_token ?? "",
        token_type_hint: "refresh_token",
      }),
    });
    expect(revoked.status, await revoked.text()).toBe(200);
    expect((await fire(trigger)).decision).toBe("refused");
  });
});
