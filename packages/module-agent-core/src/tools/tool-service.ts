import {
  isGranted,
  isOvenError,
  type Json,
  type JsonObject,
  OvenError,
  type Principal,
  parseJson,
} from "@oven/contract";
import type { CatalogTool } from "@oven/contract/agent";
import type { ToolInfo } from "@oven/contract/ai";
import { violationsOf } from "@oven/engine";
import {
  type FlatArguments,
  fromZod,
  invokeRoute,
  type ModuleDeps,
  type Release,
  requirePermission,
  requireRelease,
  startDeadline,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  type ToolRun,
} from "@oven/module-registry";
import type { z } from "zod";
import { asksFirst } from "./asks-first.ts";
import { buildCatalog, type CatalogEntry, groupOf, permissionsOf } from "./tool-catalog.ts";
import { bare, namesTool } from "./tool-patterns.ts";

export interface ToolCallOptions {
  principal: Principal;
  signal: AbortSignal;
  /** The same for every attempt of this very call. */
  idempotencyKey: string;
  /** Milliseconds; where the tool has a time-out of its own, the shorter one counts. */
  timeoutMs?: number;
  /** Of a tool of an outside server, in place of what its connection says: how long it may be silent, and take in all. */
  outside?: { timeoutMs?: number; maxTotalMs?: number };
  /** The call of a run that this is; absent outside of runs. */
  run?: ToolRun;
  /** What a person answered to this very call. */
  answer?: ToolAnswer;
  /** The review that released this very call; a tool that needs approval is not called without. */
  release?: Release;
  /** Takes what a long call tells about itself while it runs. */
  report?(message: string, data?: Json): void;
}

/** Tools that are not declared in code but belong to tenants. Reading is from memory; calling checks for itself. */
export interface ToolSource {
  /** In order of id. */
  list(tenantId: number): readonly ToolInfo[];
  /** Permissions and arguments were checked; the answer is the source's to check. */
  call(id: string, args: JsonObject, options: ToolCallOptions): Promise<Json>;
  /** Goes on with a call that ended with `ToolPending`, or with a question while it was waited for. Absent: no call of its tools does. */
  resume?(id: string, options: ResumeOptions): Promise<ResumedCall>;
}

/** Of a call that a run has made before: the source knows by the run what was called. */
export type ResumeOptions = Omit<ToolCallOptions, "release"> & Required<Pick<ToolCallOptions, "run">>;

export interface ResumedCall {
  /** What was called. */
  arguments: JsonObject;
  result: Json;
}

/** Every module's tools and routes as tools, called in-process with the caller's own permissions. */
export interface ToolService {
  /** What this principal may call, in order of id. */
  list(principal: Principal): ToolInfo[];
  /**
   * As `list`, and what modules declare but the principal may not call. What outside servers say of their tools is for those who may
   * call them.
   */
  catalog(principal: Principal): CatalogTool[];
  /** @param tenantId without it only what modules declare, which all tenants share */
  get(id: string, tenantId?: number): ToolInfo | undefined;
  /**
   * The tools that patterns name (`orders.get`, `orders.*`, `*`; `!orders.refund` excepts) and that the principal may call.
   * @throws OvenError TOOL_UNKNOWN for a pattern that names nothing at all
   */
  select(patterns: readonly string[], principal: Principal): ToolInfo[];
  /** All that patterns name, whoever asks; what names nothing is left out. */
  named(patterns: readonly string[], tenantId?: number): ToolInfo[];
  /**
   * @throws OvenError TOOL_UNKNOWN, FORBIDDEN, TOOL_INPUT_INVALID, APPROVAL_NEEDED, TOOL_OUTPUT_INVALID, TOOL_TIMEOUT, and
   * whatever the tool itself throws
   */
  call(id: string, args: Json, options: ToolCallOptions): Promise<Json>;
  /**
   * Goes on with a call of a run that ended with `ToolPending`: what was called then, and released where it had to be.
   * @throws OvenError TOOL_UNKNOWN, FORBIDDEN, and whatever the tool itself throws
   */
  resume(id: string, options: ResumeOptions): Promise<ResumedCall>;
  /**
   * Whether arguments fit, without calling anything.
   * @throws OvenError TOOL_UNKNOWN, TOOL_INPUT_INVALID
   */
  check(id: string, args: Json, tenantId?: number): void;
  /** Tools whose ids begin with `${namespace}.`, which no module has. */
  addSource(namespace: string, source: ToolSource): void;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    tools: ToolService;
  }
}

/** The tools of an installation: those of routes that modules declare, and those of added sources. */
export function createToolService({ registry, services }: Pick<ModuleDeps, "registry" | "services">): ToolService {
  let built: ReadonlyMap<string, CatalogEntry> | undefined;
  const catalog = () => {
    built ??= buildCatalog(registry);
    return built;
  };
  const sources = new Map<string, ToolSource>();
  const all = (tenantId: number | undefined) => {
    const declared = [...catalog().values()].map((entry) => entry.info);
    if (tenantId === undefined) return declared;
    return [...declared, ...[...sources.values()].flatMap((source) => source.list(tenantId))];
  };
  const find = (id: string, tenantId: number | undefined): CatalogEntry | Sourced => {
    const entry = catalog().get(id);
    if (entry !== undefined) return entry;
    const source = sources.get(id.slice(0, Math.max(0, id.indexOf("."))));
    const info = tenantId === undefined ? undefined : source?.list(tenantId).find((one) => one.id === id);
    if (source === undefined || info === undefined) throw unknownTool(id, all(tenantId));
    return { info, source };
  };
  const mayCall = (principal: Principal) => (info: ToolInfo) =>
    permissionsOf(info).every((permission) => isGranted(principal.permissions, permission));

  return {
    addSource(namespace, source) {
      if (sources.has(namespace) || registry.modules().some((module) => module.namespace === namespace))
        throw new Error(`There are tools of ${namespace} already`);
      sources.set(namespace, source);
    },
    list: (principal) => all(principal.tenantId).filter(mayCall(principal)),
    catalog: (principal) =>
      all(principal.tenantId)
        .map((info) => ({ ...info, group: groupOf(info.id), granted: mayCall(principal)(info) }))
        .filter(({ id, granted }) => granted || catalog().has(id)),
    get: (id, tenantId) => catalog().get(id)?.info ?? all(tenantId).find((info) => info.id === id),
    select(patterns, principal) {
      const known = all(principal.tenantId);
      for (const pattern of patterns) {
        if (!known.some((info) => namesTool([bare(pattern)], info.id))) throw unknownTool(bare(pattern), known);
      }
      return known.filter((info) => namesTool(patterns, info.id)).filter(mayCall(principal));
    },
    named: (patterns, tenantId) => all(tenantId).filter((info) => namesTool(patterns, info.id)),
    async call(id, args, options) {
      const entry = find(id, options.principal.tenantId);
      const given = toArguments(entry.info, args);
      for (const permission of permissionsOf(entry.info)) requirePermission(options.principal, permission);
      if ("source" in entry) checkAgainst(entry.info, given);
      if (asksFirst(entry.info, given)) {
        // What does not fit is said before an approval is used for it.
        checkArguments(entry, given);
        const { principal, run, release } = options;
        await requireRelease(services, { tool: id, arguments: given, tenantId: principal.tenantId, run, release });
      }
      const own =
        "route" in entry || "source" in entry
          ? undefined
          : "tool" in entry
            ? entry.tool.timeoutMs
            : entry.action.timeoutMs;
      const timeoutMs = Math.min(own ?? Number.POSITIVE_INFINITY, options.timeoutMs ?? Number.POSITIVE_INFINITY);
      return bounded(id, timeoutMs, options.signal, async (signal) => {
        if ("source" in entry) return entry.source.call(id, given, { ...options, signal });
        const bound = { ...options, signal, services };
        if ("tool" in entry) return callTool(entry.tool, given, bound);
        if ("action" in entry) return callAction(entry, given, bound);
        return invokeRoute(entry.route, entry.arguments.split(given), bound);
      });
    },
    async resume(id, options) {
      const entry = find(id, options.principal.tenantId);
      for (const permission of permissionsOf(entry.info)) requirePermission(options.principal, permission);
      if (!("source" in entry) || entry.source.resume === undefined)
        throw new OvenError("UNEXPECTED_SIGNAL", `No call of ${id} goes on by itself`, { status: 500 });
      return entry.source.resume(id, options);
    },
    check(id, args, tenantId) {
      const entry = find(id, tenantId);
      checkArguments(entry, toArguments(entry.info, args));
    },
  };
}

/** A tool of a source. */
interface Sourced {
  info: ToolInfo;
  source: ToolSource;
}

type Bound = ToolCallOptions & Pick<ModuleDeps, "services">;

/** @throws OvenError TOOL_INPUT_INVALID */
function checkArguments(entry: CatalogEntry | Sourced, given: JsonObject): void {
  const { id } = entry.info;
  if ("source" in entry) checkAgainst(entry.info, given);
  else if ("tool" in entry) parseInput(id, entry.tool.input, given);
  else if ("action" in entry) parseInput(id, entry.action.input, given);
  else {
    entry.arguments.split(given);
    parseInput(id, entry.arguments, given);
  }
}

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

/** @throws OvenError TOOL_INPUT_INVALID */
function checkAgainst({ id, inputSchema }: ToolInfo, args: JsonObject): void {
  const [first] = violationsOf(inputSchema, args, "$");
  if (first === undefined) return;
  throw new OvenError("TOOL_INPUT_INVALID", `The arguments of ${id} do not fit: ${first.path}: ${first.message}`, {
    path: first.path,
    fix: "Send the call again with arguments that fit the tool's input schema",
  });
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
  const { signal: timeout, clear } = startDeadline(timeoutMs);
  const toError = () =>
    new OvenError("TOOL_TIMEOUT", `${id} did not finish within ${timeoutMs} ms`, { status: 504, retryable: true });
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(toError());
    timeout.addEventListener("abort", giveUp, { once: true });
    call(AbortSignal.any([signal, timeout]))
      .then(resolve, (error: unknown) => reject(timeout.aborted ? toError() : error))
      .finally(clear);
  });
}

function toArguments({ id, inputSchema }: ToolInfo, args: Json): JsonObject {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args;
  if (typeof args === "string") refuseNumbers(id, inputSchema, args);
  const shown = typeof args === "string" ? "text that is not JSON" : JSON.stringify(args);
  throw new OvenError("TOOL_INPUT_INVALID", `The arguments of ${id} must be a JSON object, not ${shown}`, {
    path: "$",
    fix: "Send the arguments again as one JSON object",
  });
}

/** Arguments that a model wrote with a number that would be changed come as the text that they were. @throws OvenError TOOL_INPUT_INVALID */
function refuseNumbers(id: string, schema: JsonObject, text: string): void {
  try {
    parseJson(text, { what: `The call of ${id}`, schema });
  } catch (error) {
    if (error instanceof SyntaxError) return;
    if (!isOvenError(error)) throw error;
    const { message, fix, path, cause } = error;
    // A model sees the message only.
    throw new OvenError("TOOL_INPUT_INVALID", fix === undefined ? message : `${message}. ${fix}`, {
      ...(fix === undefined ? {} : { fix }),
      ...(path === undefined ? {} : { path }),
      cause,
    });
  }
}

function unknownTool(id: string, known: readonly ToolInfo[]): OvenError {
  const [namespace] = id.split(".");
  const near = known.map((info) => info.id).filter((candidate) => candidate.startsWith(`${namespace}.`));
  return new OvenError("TOOL_UNKNOWN", `There is no tool \`${id}\``, {
    status: 422,
    fix:
      near.length > 0
        ? `Known in ${namespace}: ${near.join(", ")}`
        : "See the list of tools at /api/tools, or list_tools over MCP",
  });
}
