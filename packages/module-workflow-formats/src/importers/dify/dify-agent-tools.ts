import { isOvenError, type Json, parseJson, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { DifyContext } from "./dify-context.ts";
import { type DifyNode, objectsIn } from "./dify-document.ts";
import { nameOfTool } from "./dify-known-tools.ts";

/** Tools that a model here may call for one of Dify, by the name of their plugin and their own. */
const EQUALS: Readonly<Record<string, string>> = {
  "time/current_time": "time.now",
  "maths/eval_expression": "math.calculate",
  "webscraper/webscraper": "web.fetch",
  "jina/jina_reader": "web.fetch",
  "duckduckgo/ddgo_search": "search_web",
  "searxng/searxng_search": "search_web",
  "google/google_search": "search_web",
  "bing/bing_web_search": "search_web",
  "tavily/tavily_search": "search_web",
};

/** Parameters of a strategy that name MCP servers. */
const OF_SERVERS = /mcp|^servers?_config$/i;
/** A tool of an MCP server, as bindings write it. */
const PLAIN = /^[A-Za-z0-9_-]{1,100}$/;

export interface AgentTools {
  /** Patterns of tools here. */
  tools: string[];
  /** Those that a person has to choose, by the names that they have in Dify. */
  open: string[];
  /** A time zone that its clock is set to, other than UTC. */
  timeZone?: string;
}

/**
 * The tools of an agent. What an operator or a person has to connect for them is a setting of the report.
 * @param given parameters of the agent's strategy, by name
 */
export function toolsOf(
  given: ReadonlyMap<string, Json>,
  node: DifyNode,
  context: DifyContext,
  notes: string[],
): AgentTools {
  const found: AgentTools = { tools: [], open: [] };
  const { reporter } = context;
  for (const tool of objectsIn(given.get("tools")).filter(({ enabled }) => enabled !== false)) {
    const label = String(tool.tool_label ?? tool.tool_name ?? "tool");
    const { provider_name: provider, tool_name: own } = tool;
    if (tool.type === "mcp") {
      const server = String(tool.provider_show_name ?? provider ?? "");
      const slug = toSlug(server);
      const name = String(own ?? "");
      add(found, PLAIN.test(name) ? `mcp.${slug}.${name}` : `mcp.${slug}.*`);
      tellServer({ server, slug }, node, context, notes);
      continue;
    }
    const name = nameOfTool(provider, own);
    const ours = Object.hasOwn(EQUALS, name) ? EQUALS[name] : undefined;
    if (ours === undefined || isFixed(tool.parameters)) {
      found.open.push(label);
      continue;
    }
    add(found, ours);
    if (ours === "time.now") {
      const zone = settingOf(tool.settings, "timezone");
      if (typeof zone === "string" && zone !== "" && zone !== "UTC") found.timeZone = zone;
    } else if (ours === "search_web") {
      const advice = `“${node.title}” searched the web with ${label}. Here it asks the SearXNG server that an operator names as SEARCH_URL of module-workflow-formats.`;
      reporter.setting("tool", label, advice, node.path);
    }
    notes.push(`Its tool ${label} is ${ours} here, which has settings and an answer of its own.`);
  }
  for (const [key, value] of given) {
    if (!OF_SERVERS.test(key) || value === "" || value === null) continue;
    const servers = serversIn(value);
    if (servers === undefined) {
      found.open.push(key);
      continue;
    }
    for (const server of servers) {
      add(found, `mcp.${server.slug}.*`);
      tellServer(server, node, context, notes);
    }
  }
  for (const name of found.open)
    reporter.setting("tool", name, `Choose a tool that does the same for “${node.title}”, or add one.`, node.path);
  return found;
}

function add({ tools }: AgentTools, pattern: string): void {
  if (!tools.includes(pattern)) tools.push(pattern);
}

/** Whether a person has fixed one of its parameters, which a model fills in here. */
function isFixed(parameters: Json | undefined): boolean {
  if (!isObject(parameters)) return false;
  return Object.values(parameters).some((one) => {
    if (!isObject(one) || one.auto === 1 || one.auto === true) return false;
    const value = isObject(one.value) ? (one.value.value ?? null) : (one.value ?? null);
    return value !== null && value !== "";
  });
}

function settingOf(settings: Json | undefined, name: string): Json {
  const one = isObject(settings) && Object.hasOwn(settings, name) ? (settings[name] ?? null) : null;
  const value = isObject(one) ? (one.value ?? null) : one;
  return isObject(value) ? (value.value ?? null) : value;
}

interface Server {
  /** Its name, or its host. */
  server: string;
  slug: string;
}

/** Of an address, or of the configuration that MCP clients read; keys in them are left out. */
function serversIn(value: Json): Server[] | undefined {
  if (typeof value === "string" && /^https?:\/\//i.test(value.trim())) {
    const host = hostOf(value.trim());
    return host === undefined ? undefined : [{ server: host, slug: toSlug(host) }];
  }
  const config = typeof value === "string" ? readConfig(value) : value;
  if (!isObject(config)) return undefined;
  const named = Object.entries(isObject(config.mcpServers) ? config.mcpServers : config);
  const servers = named.flatMap(([name, one]): Server[] => {
    const host = isObject(one) && typeof one.url === "string" ? hostOf(one.url) : undefined;
    return host === undefined ? [] : [{ server: `${name} (${host})`, slug: toSlug(name) }];
  });
  const areKnown = servers.length > 0 && servers.length === named.length;
  return areKnown && new Set(servers.map(({ slug }) => slug)).size === servers.length ? servers : undefined;
}

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

function readConfig(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (isOvenError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function tellServer(
  { server, slug }: Server,
  { title, path }: DifyNode,
  { reporter }: DifyContext,
  notes: string[],
): void {
  const advice = `Connect this MCP server with the name ${slug} and approve its tools: “${title}” fails until it has them.`;
  reporter.setting("tool", `MCP: ${server}`, advice, path);
  const note = `Its MCP server ${server} has to be connected with the name ${slug}.`;
  if (!notes.includes(note)) notes.push(note);
}
