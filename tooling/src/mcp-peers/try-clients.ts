import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PEERS, versionOf } from "./install.ts";
import type { PeerRow, StepReport } from "./peer-row.ts";
import type { StartedOven } from "./start-oven.ts";
import { watchCalls } from "./watch-calls.ts";

interface ClientPeer {
  /** As people know it. */
  title: string;
  /** The package that it is, with the version that is installed. */
  name: string;
  /** Its file in `mcp-peers/src/clients`. */
  file: string;
}

export const CLIENTS: readonly ClientPeer[] = [
  { title: "SDK v1", name: "@modelcontextprotocol/sdk", file: "sdk-v1" },
  { title: "SDK v1 over `oven mcp` (stdio)", name: "@modelcontextprotocol/sdk", file: "oven-mcp" },
  { title: "SDK v2", name: "@modelcontextprotocol/client", file: "sdk-v2" },
  { title: "mcp-remote (stdio)", name: "mcp-remote", file: "mcp-remote" },
  { title: "Inspector, command line", name: "@modelcontextprotocol/inspector", file: "inspector" },
  { title: "Mastra", name: "@mastra/mcp", file: "mastra" },
  { title: "AI SDK", name: "@ai-sdk/mcp", file: "ai-sdk" },
  { title: "LangChain", name: "@langchain/mcp-adapters", file: "langchain" },
  { title: "mcp-use", name: "mcp-use", file: "mcp-use" },
  { title: "OpenAI Agents SDK", name: "@openai/agents", file: "openai-agents" },
  { title: "mcporter, command line", name: "mcporter", file: "mcporter" },
  { title: "Genkit", name: "@genkit-ai/mcp", file: "genkit" },
];

const LONGEST_MS = 180_000;

/** Runs one client, in a process of its own, through the steps of `mcp-peers/src/client-steps.ts`. */
export async function tryClient(oven: StartedOven, { file, title, name }: ClientPeer): Promise<PeerRow> {
  const watch = await watchCalls(oven.server.url);
  const url = `${watch.url}/api/mcp/order`;
  const target = {
    url,
    key: oven.key,
    bridge: [process.execPath, join(PEERS, "../apps/cli/src/oven.ts"), "mcp", "--url", url],
    directory: mkdtempSync(join(oven.directory, "client-")),
  };
  const ran = await runClient(file, target);
  const row = { title, name, version: versionOf(name), revision: watch.revisions().join(", "), ...ran };
  await watch.stop();
  return row;
}

async function runClient(file: string, target: object): Promise<Pick<PeerRow, "steps" | "error">> {
  const script = join(PEERS, "src/run-client.ts");
  const child = spawn(process.execPath, [script, file, JSON.stringify(target)], {
    cwd: PEERS,
    stdio: ["ignore", "pipe", "pipe"],
    // No client reports to its maker.
    env: { ...process.env, MCP_USE_ANONYMIZED_TELEMETRY: "false", MASTRA_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  const [written, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  clearTimeout(deadline);
  const line = written.split("\n").find((one) => one.startsWith("REPORT "));
  if (line === undefined)
    return { steps: [], error: `ended with ${code}: ${`${errors}${written}`.trim().slice(0, 1_500)}` };
  return { steps: JSON.parse(line.slice("REPORT ".length)) as StepReport[] }; // cast: written by mcp-peers/src/run-client.ts
}
