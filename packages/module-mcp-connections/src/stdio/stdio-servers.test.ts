import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestPglite } from "@oven/db/testing";
import type { TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedOven, startConnectedOven } from "../connections/testing/connected-oven.ts";
import { readOperatorFile } from "./operator-file.ts";

const folder = mkdtempSync(join(tmpdir(), "oven-mcp-file-"));
const path = join(folder, "servers.json");
const script = fileURLToPath(new URL("./testing/echo-server.ts", import.meta.url));
const echo = { name: "echo", command: process.execPath, args: [script], env: { LEVEL: "read" } };
const write = (content: unknown) => writeFileSync(path, JSON.stringify(content));

describe("servers of the operator's file", () => {
  let db: TestOven["db"];
  let oven: ConnectedOven;
  let id = 0;

  beforeAll(async () => {
    write({ servers: [echo] });
    db = await createTestPglite();
    process.env.OVEN_CANARY = "must not be seen";
    oven = await startConnectedOven([], { allow: [], serversFile: path, db });
    id = (await oven.call("GET", "mcp-connections")).body[0].id;
    await oven.call("POST", `mcp-connections/${id}/refresh`);
    await oven.approveAll(id);
  });
  afterAll(async () => {
    delete process.env.OVEN_CANARY;
    await oven.stop();
    await db.close();
  });

  async function use(name: string) {
    const tool = (await oven.tools(id)).find((one) => one.name === name);
    return (await oven.call("POST", `mcp-connections/${id}/tools/${tool.id}/try`, { arguments: {} })).body;
  }
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it("are seen, and changed by nobody else; the command is not shown", async () => {
    const { body } = await oven.call("GET", `mcp-connections/${id}`);
    expect(body).toMatchObject({ name: "echo", transport: "stdio", url: null, status: "ok", serverName: "echo" });
    expect(JSON.stringify(body)).not.toContain(script);
    const changed = await oven.call("PUT", `mcp-connections/${id}`, { enabled: false });
    expect(changed.body.error.code).toBe("MCP_CONNECTION_MANAGED");
    expect((await oven.call("DELETE", `mcp-connections/${id}`)).body.error.code).toBe("MCP_CONNECTION_MANAGED");
  });

  it("are not rounded: a number that would be changed is refused with its place", async () => {
    expect((await use("long")).error).toMatchObject({
      code: "NUMBER_NOT_EXACT",
      message: expect.stringContaining("7615917337495251231 at $.structured.id"),
    });
  });

  it.each([
    { name: "mine", transport: "stdio", command: "/bin/sh" },
    { name: "mine", url: "file:///bin/sh" },
    { name: "mine", url: "https://x.example/", command: "/bin/sh" },
  ])("cannot be made over the API (%j)", async (body) => {
    const { status } = await oven.call("POST", "mcp-connections", body);
    expect(status).toBe(400);
  });

  it("get a small environment, and live on between calls", async () => {
    const { result } = await use("environment");
    const names = result.text.split(" ");
    expect(names).toContain("LEVEL");
    expect(names).not.toContain("OVEN_CANARY");
    expect(
      names.filter((name: string) => !["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LEVEL"].includes(name)),
    ).toEqual([]);
    expect((await use("pid")).result).toEqual((await use("pid")).result);
  });

  it("ask questions in runs", async () => {
    oven.model.enqueue({ toolCalls: [{ name: "mcp_echo_ask", arguments: {} }] }, { text: "so it is" });
    const run = await oven.run(["mcp.echo.ask"]);
    expect(run.status).toBe("paused");
    const [question] = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
    await oven.call("POST", `reviews/${question.id}/decide`, { action: "submit", data: { which: "this" } });
    const look = () => oven.call("GET", `agent-workflow-executions/${run.id}`).then(({ body }) => body.status);
    await expect.poll(look).toBe("completed");
    const messages = oven.model.requests.at(-1)?.body.messages as { content: string }[];
    expect(messages.at(-1)?.content).toContain("accept: this");
  });

  it("that leave are started again, and all end with the process", async () => {
    const before = Number((await use("pid")).result.text);
    expect((await use("leave")).error.code).toBe("MCP_CALL_LOST");
    const after = Number((await use("pid")).result.text);
    expect(after).not.toBe(before);
    expect(isAlive(after)).toBe(true);
    await oven.stop();
    await expect.poll(() => isAlive(after)).toBe(false);
    // What the file no longer names is off.
    write({ servers: [] });
    oven = await startConnectedOven([], { allow: [], serversFile: path, db });
    expect((await oven.call("GET", `mcp-connections/${id}`)).body).toMatchObject({
      enabled: false,
      status: "disabled",
    });
  });
});

it.each([
  ["no JSON", "{"],
  ["an unknown field", JSON.stringify({ servers: [{ ...echo, shell: true }] })],
  ["a name twice", JSON.stringify({ servers: [echo, echo] })],
])("a file with %s stops the start, and says so", (_name, content) => {
  writeFileSync(path, content);
  expect(() => readOperatorFile(path)).toThrow(
    expect.objectContaining({ code: "INVALID_ENVIRONMENT", message: expect.stringContaining("OVEN_MCP_SERVERS_FILE") }),
  );
});
