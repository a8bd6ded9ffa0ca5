import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const GUIDE = resolve(ROOT, "docs/guides/call-over-mcp.md");
/** Says at the end which files and packages the process has loaded. */
const WATCH = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
process.on("exit", () => process.stderr.write("LOADED " + JSON.stringify([...loaded]) + "\\n"));
`;

describe("the bridge for clients that start a process", () => {
  let endpoint: McpEndpoint;
  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
  });
  afterAll(() => endpoint.close());

  it("is started as the guide says, from any directory, and loads MCP's client and nothing of the server", async () => {
    const [, block = ""] =
      /## Clients that start a process[\s\S]*?```json\n([\s\S]*?)```/.exec(await readFile(GUIDE, "utf8")) ?? [];
    const { command, args } = JSON.parse(
      block.replaceAll("/path/to/oven", ROOT).replace("http://localhost:3000", endpoint.origin),
    );
    const transport = new StdioClientTransport({
      command,
      args,
      cwd: tmpdir(),
      stderr: "pipe",
      env: {
        ...getDefaultEnvironment(),
        OVEN_API_KEY: TEST_KEY,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}`,
      },
    });
    const { stderr } = transport;
    if (!(stderr instanceof Readable)) throw new Error("there is no stderr");
    const said = text(stderr);
    const client = new Client({ name: "modern", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("support_reply");
    await client.close();
    const [, list = "[]"] = /LOADED (.*)/.exec(await said) ?? [];
    const loaded: string[] = JSON.parse(list);
    expect(loaded.length).toBeGreaterThan(0);
    const own = loaded.filter((url) => url.startsWith("file:") && !url.includes("/node_modules/"));
    expect(own.map((url) => url.slice(`file://${ROOT}/`.length)).toSorted()).toEqual([
      "apps/cli/src/mcp.command.ts",
      "apps/cli/src/oven.ts",
      "apps/cli/src/run-oven.ts",
    ]);
    const packages = loaded.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
    expect([...new Set(packages)].toSorted()).toEqual([
      "@modelcontextprotocol/client",
      "@modelcontextprotocol/core",
      "@modelcontextprotocol/server",
      "eventsource",
      "eventsource-parser",
      "pkce-challenge",
      "zod",
    ]);
  });
});
