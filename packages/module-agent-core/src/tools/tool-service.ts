import { isGranted, type Json, type JsonObject, OvenError, type Principal, type ToolInfo } from "@oven/contract";
import {
  type FlatArguments,
  fromZod,
  invokeRoute,
  type ModuleDeps,
  requirePermission,
  type ToolContext,
  type ToolDefinition,
  type ToolRun,
} from "@oven/module-registry";
import type { z } from "zod";
import { buildCatalog, type CatalogEntry, permissionsOf } from "./tool-catalog.ts";
import { bare, namesTool } from "./tool-patterns.ts";

export interface ToolCallOptions {
  principal: Principal;
  signal: AbortSignal;
  /** The same for every attempt of this very call. */
  idempotencyKey: string;
  /** Milliseconds; where the tool has a time-out of its own, the shorter one counts. */
  timeoutMs?: number;
  /** The call of a run that this is; absent outside of runs. */
  run?: ToolRun;
}

/** Every module's tools and routes as tools, called in-process with the caller's own permissions. */
export interface ToolService {
  /** What this principal may call, in order of id. */
  list(principal: Principal): ToolInfo[];
  get(id: string): ToolInfo | undefined;
  /**
   * The tools that patterns name (`orders.get`, `orders.*`, `*`; `!orders.refund` excepts) and that the principal may call.
   * @throws OvenError TOOL_UNKNOWN for a pattern that names nothing at all
   */
  select(patterns: readonly string[], principal: Principal): ToolInfo[];
  /** All that patterns name, whoever asks; what names nothing is left out. */
  named(patterns: readonly string[]): ToolInfo[];
  /**
   * @throws OvenError TOOL_UNKNOWN, FORBIDDEN, TOOL_INPUT_INVALID, TOOL_OUTPUT_INVALID, TOOL_TIMEOUT, and whatever the
   * tool itself throws
   */
  call(id: string, args: Json, options: ToolCallOptions): Promise<Json>;
  /**
   * Whether arguments fit, without calling anything.
   * @throws OvenError TOOL_UNKNOWN, TOOL_INPUT_INVALID
   */
  check(id: string, args: Json): void;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    tools: ToolService;
  }
}

export function createToolService({ registry, services }: Pick<ModuleDeps, "registry" | "services">): ToolService {
  let built: ReadonlyMap<string, CatalogEntry> | undefined;
  const catalog = () => {
    built ??= buildCatalog(registry);
    return built;
  };
  const all = () => [...catalog().values()].map((entry) => entry.info);
  const find = (id: string): CatalogEntry => {
    const entry = catalog().get(id);
    if (entry === undefined) throw unknownTool(id, all());
    return entry;
  };
  const mayCall = (principal: Principal) => (info: ToolInfo) =>
    permissionsOf(info).every((permission) => isGranted(principal.permissions, permission));

  return {
    list: (principal) => all().filter(mayCall(principal)),
    get: (id) => catalog().get(id)?.info,
    select(patterns, principal) {
      for (const pattern of patterns) {
        if (!all().some((info) => namesTool([bare(pattern)], info.id))) throw unknownTool(bare(pattern), all());
      }
      return all()
        .filter((info) => namesTool(patterns, info.id))
        .filter(mayCall(principal));
    },
    named: (patterns) => all().filter((info) => namesTool(patterns, info.id)),
    async call(id, args, options) {
      const entry = find(id);
      const given = toArguments(id, args);
      for (const permission of permissionsOf(entry.info)) requirePermission(options.principal, permission);
      const own = "route" in entry ? undefined : "tool" in entry ? entry.tool.timeoutMs : entry.action.timeoutMs;
      const timeoutMs = Math.min(own ?? Number.POSITIVE_INFINITY, options.timeoutMs ?? Number.POSITIVE_INFINITY);
      return bounded(id, timeoutMs, options.signal, async (signal) => {
        const bound = { ...options, signal, services };
        if ("tool" in entry) return callTool(entry.tool, given, bound);
        if ("action" in entry) return callAction(entry, given, bound);
        return invokeRoute(entry.route, entry.arguments.split(given), bound);
      });
    },
    check(id, args) {
      const entry = find(id);
      const given = toArguments(id, args);
      if ("tool" in entry) {
        parseInput(entry.tool.id, entry.tool.input, given);
        return;
      }
      if ("action" in entry) {
        parseInput(id, entry.action.input, given);
        return;
      }
      entry.arguments.split(given);
      parseInput(id, entry.arguments, given);
    },
  };
}

type Bound = ToolCallOptions & Pick<ModuleDeps, "services">;

async function callTool(tool: ToolDefinition, args: JsonObject, bound: Bound): Promise<Json> {
  return checkOutput(tool.id, tool.output, await tool.run(toContext(parseInput(tool.id, tool.input, args), bound)));
}

async function callAction(
  { info, action, covered }: Extract<CatalogEntry, { action: unknown }>,
  args: JsonObject,
  bound: Bound,
): Promise<Json> {
  const input = parseInput(info.id, action.input, args);
  const output = action.output ?? covered?.route.response;
  if (action.run !== undefined) {
    const result = await action.run(toContext(input, bound));
    return output === undefined ? result : checkOutput(info.id, output, result);
  }
  if (covered === undefined || action.toArguments === undefined) throw new Error(`${info.id} leads nowhere`);
  const answer = await invokeRoute(covered.route, covered.arguments.split(action.toArguments(input)), bound);
  return action.output === undefined ? answer : checkOutput(info.id, action.output, answer);
}

function toContext(
  input: Record<string, unknown>,
  { principal, signal, idempotencyKey, run, services }: Bound,
): ToolContext<Record<string, unknown>> {
  return { input, principal, signal, idempotencyKey, services, ...(run === undefined ? {} : { run }) };
}

function checkOutput(id: string, output: z.ZodType, result: Json): Json {
  const checked = output.safeParse(result);
  if (checked.success) return JSON.parse(JSON.stringify(checked.data ?? null));
  throw new OvenError(
    "TOOL_OUTPUT_INVALID",
    `${id} answered something it does not declare: ${fromZod(checked.error, "$").message}`,
    {
      status: 500,
      fix: "Correct the tool, or the output schema it declares",
    },
  );
}

function parseInput(id: string, schema: Pick<FlatArguments, "safeParse">, args: JsonObject): Record<string, unknown> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const { message, path, details } = fromZod(parsed.error, "$");
  throw new OvenError("TOOL_INPUT_INVALID", `The arguments of ${id} do not fit: ${message}`, {
    fix: "Send the call again with arguments that fit the tool's input schema",
    ...(path === undefined ? {} : { path }),
    ...(details === undefined ? {} : { details }),
  });
}

/** What ignores its signal is still given up at its time-out. */
async function bounded<T>(
  id: string,
  timeoutMs: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return call(signal);
  const timeout = AbortSignal.timeout(timeoutMs);
  const toError = () =>
    new OvenError("TOOL_TIMEOUT", `${id} did not finish within ${timeoutMs} ms`, { status: 504, retryable: true });
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(toError());
    timeout.addEventListener("abort", giveUp, { once: true });
    call(AbortSignal.any([signal, timeout]))
      .then(resolve, (error: unknown) => reject(timeout.aborted ? toError() : error))
      .finally(() => timeout.removeEventListener("abort", giveUp));
  });
}

function toArguments(id: string, args: Json): JsonObject {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args;
  const shown = typeof args === "string" ? "text that is not JSON" : JSON.stringify(args);
  throw new OvenError("TOOL_INPUT_INVALID", `The arguments of ${id} must be a JSON object, not ${shown}`, {
    path: "$",
    fix: "Send the arguments again as one JSON object",
  });
}

function unknownTool(id: string, known: readonly ToolInfo[]): OvenError {
  const [namespace] = id.split(".");
  const near = known.map((info) => info.id).filter((candidate) => candidate.startsWith(`${namespace}.`));
  return new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
    status: 422,
    fix: near.length > 0 ? `Known in ${namespace}: ${near.join(", ")}` : "See the list of tools at /api/tools",
  });
}
