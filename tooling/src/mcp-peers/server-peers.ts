import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PEERS } from "./install.ts";

/** What the servers are started with. */
export interface Stage {
  /** An empty directory of their own, with the file `note.txt`. */
  directory: string;
  /** The page that browsers open. */
  pageUrl: string;
  /** Settings of `@playwright/mcp`. */
  browserSettings: string;
}

export interface ToolCall {
  tool: string;
  given: Record<string, unknown>;
  /** What the text of its answer, or what is structured of it, has in it. */
  answers: RegExp;
}

export interface ServerPeer {
  /** The name of its connection. */
  id: string;
  title: string;
  /** The package that it is, with the version that is installed. */
  name: string;
  /** Over HTTP: the words of its command by its port; over stdio it is in the operator's file. */
  transport: "http" | "stdio";
  /** Of Node: a script and its arguments. */
  args(stage: Stage, port: number): string[];
  env?(stage: Stage, port: number): Record<string, string>;
  /** In one run, one after the other. */
  calls(stage: Stage): ToolCall[];
  /** A call of another run, whose answer must not have what the first run left in its session. */
  apart?: { tool: string; lacks: RegExp };
  /** A call that takes long, in which the server is ended. */
  slow?: { tool: string; given: Record<string, unknown> };
}

function scriptOf(name: string): string {
  const folder = join(PEERS, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> }; // cast: packages with a command line
  return join(folder, Object.values(bin)[0] ?? "");
}

const OFFICIAL = "@modelcontextprotocol";
const EVERYTHING = `${OFFICIAL}/server-everything`;
const own = (file: string) => join(PEERS, "src/servers", file);
const SUM: ToolCall = { tool: "get-sum", given: { a: 19, b: 23 }, answers: /42/ };
const LONG = { tool: "trigger-long-running-operation", given: { duration: 60, steps: 120 } };
const ADD: ToolCall = { tool: "add", given: { a: 19, b: 23 }, answers: /42/ };
const WAIT = { tool: "wait", given: {} };
const BROWSING: Pick<ServerPeer, "calls" | "apart"> = {
  calls: ({ pageUrl }) => [
    { tool: "browser_navigate", given: { url: pageUrl }, answers: /Bakery/ },
    { tool: "browser_snapshot", given: {}, answers: /Fresh bread/ },
  ],
  apart: { tool: "browser_snapshot", lacks: /Fresh bread|Bakery/ },
};
const ENTITY = { name: "oven", entityType: "product", observations: ["bakes bread"] };
const MEMORY: Pick<ServerPeer, "calls"> = {
  calls: () => [
    { tool: "create_entities", given: { entities: [ENTITY] }, answers: /oven/ },
    { tool: "search_nodes", given: { query: "bread" }, answers: /bakes bread/ },
  ],
};
const memoryFile = (id: string) => ({
  env: ({ directory }: Stage) => ({ MEMORY_FILE_PATH: join(directory, `${id}.jsonl`) }),
});

export const SERVERS: readonly ServerPeer[] = [
  {
    id: "everything-http",
    title: "server-everything",
    name: EVERYTHING,
    transport: "http",
    args: () => [scriptOf(EVERYTHING), "streamableHttp"],
    env: (_stage, port) => ({ PORT: String(port) }),
    calls: () => [{ tool: "echo", given: { message: "bread" }, answers: /bread/ }, SUM],
    slow: LONG,
  },
  {
    id: "everything-stdio",
    title: "server-everything",
    name: EVERYTHING,
    transport: "stdio",
    args: () => [scriptOf(EVERYTHING), "stdio"],
    calls: () => [{ tool: "echo", given: { message: "bread" }, answers: /bread/ }, SUM],
    slow: LONG,
  },
  {
    id: "filesystem",
    title: "server-filesystem",
    name: `${OFFICIAL}/server-filesystem`,
    transport: "stdio",
    args: ({ directory }) => [scriptOf(`${OFFICIAL}/server-filesystem`), directory],
    calls: ({ directory }) => [
      { tool: "read_text_file", given: { path: join(directory, "note.txt") }, answers: /flour and water/ },
    ],
  },
  {
    id: "memory",
    title: "server-memory",
    name: `${OFFICIAL}/server-memory`,
    transport: "stdio",
    args: () => [scriptOf(`${OFFICIAL}/server-memory`)],
    ...memoryFile("memory"),
    ...MEMORY,
  },
  {
    id: "sequential-thinking",
    title: "server-sequential-thinking",
    name: `${OFFICIAL}/server-sequential-thinking`,
    transport: "stdio",
    args: () => [scriptOf(`${OFFICIAL}/server-sequential-thinking`)],
    calls: () =>
      [1, 2].map((thoughtNumber) => ({
        tool: "sequentialthinking",
        given: { thought: "knead", nextThoughtNeeded: thoughtNumber === 1, thoughtNumber, totalThoughts: 2 },
        // The second answer counts the first: both calls were made in one session.
        answers: new RegExp(`"thoughtHistoryLength":\\s*${thoughtNumber}`),
      })),
  },
  {
    id: "playwright-http",
    title: "Playwright MCP",
    name: "@playwright/mcp",
    transport: "http",
    args: ({ browserSettings }, port) => [
      ...[scriptOf("@playwright/mcp"), "--config", browserSettings, "--host", "127.0.0.1"],
      ...["--port", String(port), "--allowed-hosts", "*"],
    ],
    ...BROWSING,
    slow: { tool: "browser_wait_for", given: { time: 60 } },
  },
  {
    id: "playwright-stdio",
    title: "Playwright MCP",
    name: "@playwright/mcp",
    transport: "stdio",
    args: ({ browserSettings }) => [scriptOf("@playwright/mcp"), "--config", browserSettings],
    ...BROWSING,
  },
  {
    id: "mcp-proxy",
    title: "mcp-proxy before server-everything",
    name: "mcp-proxy",
    transport: "http",
    args: (_stage, port) => [
      ...[scriptOf("mcp-proxy"), "--host", "127.0.0.1", "--port", String(port), "--server", "stream", "--"],
      ...[process.execPath, scriptOf(EVERYTHING), "stdio"],
    ],
    calls: () => [{ tool: "echo", given: { message: "bread" }, answers: /bread/ }, SUM],
    slow: LONG,
  },
  {
    id: "supergateway",
    title: "supergateway before server-memory",
    name: "supergateway",
    transport: "http",
    args: (_stage, port) => [
      ...[scriptOf("supergateway"), "--stdio", `${process.execPath} ${scriptOf(`${OFFICIAL}/server-memory`)}`],
      ...["--outputTransport", "streamableHttp", "--stateful", "--port", String(port), "--logLevel", "none"],
    ],
    ...memoryFile("supergateway"),
    ...MEMORY,
  },
  {
    id: "fastmcp",
    title: "a server written with FastMCP",
    name: "fastmcp",
    transport: "http",
    args: (_stage, port) => [own("fastmcp.ts"), String(port)],
    calls: () => [ADD],
    slow: WAIT,
  },
  {
    id: "hono-mcp",
    title: "a server written with @hono/mcp",
    name: "@hono/mcp",
    transport: "http",
    args: (_stage, port) => [own("hono-mcp.ts"), String(port)],
    calls: () => [ADD],
    slow: WAIT,
  },
];
