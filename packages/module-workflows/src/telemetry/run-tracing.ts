import { type Attributes, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { isOvenError, type Json, type JsonObject } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import { isTerminal } from "@oven/contract/run";
import { isObject, type NodeCall, type NodeRunner, type RunCommit, type RunRecord } from "@oven/engine";
import type { RunObserver } from "./observe-runs.ts";
import { runSpanIds, toRunSpanContext } from "./trace-ids.ts";

export interface RunTracingOptions {
  secret: string;
  /** The run at the top of a run's family. */
  rootOf(executionId: number): Promise<number>;
  /** What a node type is, such as `model`. */
  kindOf(src: string): string | undefined;
}

/**
 * Spans of runs, nodes, model calls and tool calls, with OpenTelemetry's conventions for generative AI. A run's span is
 * written when it ends, by whichever process ends it.
 * @see https://github.com/open-telemetry/semantic-conventions-genai (v0.1.0, which names of spans of runs and nodes do not follow)
 */
export class RunTracing implements RunObserver {
  readonly #options: RunTracingOptions;
  readonly #tracer = trace.getTracer("oven");
  readonly #roots = new Map<number, Promise<number>>();

  constructor(options: RunTracingOptions) {
    this.#options = options;
  }

  onClaimed({ id, parent }: RunRecord): void {
    if (parent === null) this.#roots.set(id, Promise.resolve(id));
  }

  onCommitted(run: RunRecord, commit: RunCommit): void {
    if (isTerminal(commit.columns.status)) void this.#rootOf(run.id).then((root) => this.#endRun(run, root, commit));
  }

  onReleased({ id }: RunRecord): void {
    this.#roots.delete(id);
  }

  /** The runner with a span around every call. */
  trace(nodes: NodeRunner): NodeRunner {
    const around = async (call: NodeCall, work: (call: NodeCall) => Promise<NodeResult>): Promise<NodeResult> => {
      const { executionId } = call.node;
      const root = await this.#rootOf(executionId);
      const parent = trace.setSpanContext(ROOT_CONTEXT, toRunSpanContext(this.#options.secret, root, executionId));
      const span = this.#tracer.startSpan(`node ${call.src}`, { attributes: nodeAttributes(call) }, parent);
      const inside = trace.setSpan(parent, span);
      const model = this.#options.kindOf(call.src) === "model" ? this.#startModelSpan(call, inside) : undefined;
      const tools = new ToolSpans(this.#tracer, inside);
      try {
        const result = await context.with(inside, () => work({ ...call, event: tools.listen(call.event) }));
        if (model !== undefined) endModelSpan(model, result);
        span.setAttribute("oven.node.result", result.type === "wait" ? `wait for ${result.for}` : result.type);
        return result;
      } catch (error) {
        for (const failed of [model, span]) if (failed !== undefined) fail(failed, error);
        throw error;
      } finally {
        tools.end();
        model?.end();
        span.end();
      }
    };
    return {
      run: (call) => around(call, (inner) => nodes.run(inner)),
      resume: (call, signal) => around(call, (inner) => nodes.resume(inner, signal)),
      runItem: (call, item) => around(call, (inner) => nodes.runItem(inner, item)),
    };
  }

  #rootOf(executionId: number): Promise<number> {
    const known = this.#roots.get(executionId);
    if (known !== undefined) return known;
    // Without it the span stands alone; that is no reason for a run to fail.
    const root = this.#options.rootOf(executionId).catch((error: unknown) => {
      console.warn(`looking up the family of execution ${executionId} for its trace failed:`, error);
      return executionId;
    });
    this.#roots.set(executionId, root);
    return root;
  }

  #endRun(run: RunRecord, root: number, { columns }: RunCommit): void {
    const { secret } = this.#options;
    const own = toRunSpanContext(secret, root, run.id);
    const above =
      run.parent === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, toRunSpanContext(secret, root, run.parent.executionId));
    const startTime = Date.parse(columns.startedAt ?? run.createdAt);
    const span = runSpanIds.use(own, () =>
      this.#tracer.startSpan(`run ${run.kind}`, { startTime, attributes: runAttributes(run) }, above),
    );
    span.setAttributes({
      "oven.run.status": columns.status,
      "oven.run.steps": columns.steps,
      "oven.run.cost_usd": columns.costMicros / 1e6,
      "gen_ai.usage.input_tokens": columns.tokenUsage.input,
      "gen_ai.usage.output_tokens": columns.tokenUsage.output,
      ...(columns.outcome === null ? {} : { "oven.run.outcome": columns.outcome }),
    });
    if (columns.status === "failed") {
      const code = columns.errorInfo?.code ?? "RUN_FAILED";
      span.setAttribute("error.type", code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    }
    span.end(columns.completedAt === null ? undefined : Date.parse(columns.completedAt));
  }

  #startModelSpan({ input, settings }: NodeCall, parent: typeof ROOT_CONTEXT): Span {
    const given: JsonObject = isObject(input) ? input : {};
    const configured = settings.agentConfig as JsonObject; // cast: it is JSON
    const setting = (key: string): Json | undefined => given[key] ?? configured[key];
    const model = String(setting("model") ?? "default");
    const [provider, name] = model.includes(":")
      ? [model.split(":")[0], model.slice(model.indexOf(":") + 1)]
      : [undefined, model];
    const attributes: Attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": name };
    if (provider !== undefined) attributes["gen_ai.provider.name"] = toProviderName(provider);
    for (const [attribute, key] of REQUEST_SETTINGS) {
      const value = setting(key);
      if (typeof value === "number") attributes[attribute] = value;
    }
    return this.#tracer.startSpan(`chat ${name}`, { kind: SpanKind.CLIENT, attributes }, parent);
  }
}

/** The conventions' name of a provider, where they have another. */
function toProviderName(providerId: string): string {
  return providerId === "google" ? "gcp.gemini" : providerId;
}

const REQUEST_SETTINGS = [
  ["gen_ai.request.temperature", "temperature"],
  ["gen_ai.request.top_p", "topP"],
  ["gen_ai.request.max_tokens", "maxOutputTokens"],
  ["gen_ai.request.seed", "seed"],
] as const;

/** Spans of the tools that a node calls, by what it notes in the run's log. */
class ToolSpans {
  readonly #tracer: ReturnType<typeof trace.getTracer>;
  readonly #parent: typeof ROOT_CONTEXT;
  readonly #open = new Map<string, Span>();

  constructor(tracer: ReturnType<typeof trace.getTracer>, parent: typeof ROOT_CONTEXT) {
    this.#tracer = tracer;
    this.#parent = parent;
  }

  listen(event: NodeCall["event"]): NodeCall["event"] {
    return (name, fields) => {
      event(name, fields);
      const id = String(fields.toolCallId);
      const tool = String(fields.tool);
      if (name === "tool.started") {
        const attributes: Attributes = {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": tool,
          "gen_ai.tool.type": "function",
          "gen_ai.tool.call.id": id,
        };
        this.#open.set(id, this.#tracer.startSpan(`execute_tool ${tool}`, { attributes }, this.#parent));
      } else if (name === "tool.completed" || name === "tool.failed") {
        const span = this.#open.get(id);
        this.#open.delete(id);
        // Its message may hold what runs work on, and there is no code.
        if (name === "tool.failed")
          span?.setAttribute("error.type", "_OTHER").setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      }
    };
  }

  /** What has not ended when the node does, was cut off. */
  end(): void {
    for (const span of this.#open.values()) span.setStatus({ code: SpanStatusCode.ERROR }).end();
    this.#open.clear();
  }
}

function endModelSpan(span: Span, result: NodeResult): void {
  const { tokenUsage, simulated, model } = result.spend ?? {};
  if (model !== undefined) {
    span.setAttributes({
      "gen_ai.provider.name": toProviderName(model.providerId),
      "gen_ai.response.model": model.modelId,
    });
  }
  if (tokenUsage !== undefined) {
    span.setAttributes({
      "gen_ai.usage.input_tokens": tokenUsage.input,
      "gen_ai.usage.output_tokens": tokenUsage.output,
    });
  }
  if (simulated === true) span.setAttribute("oven.simulated", true);
  const reason = result.type === "done" && isObject(result.output) ? result.output.finishReason : undefined;
  if (typeof reason === "string") span.setAttribute("gen_ai.response.finish_reasons", [reason]);
}

/** The code only: messages may hold what runs work on. */
function fail(span: Span, error: unknown): void {
  const code = isOvenError(error) ? error.code : "NODE_ERROR";
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}

function runAttributes({ id, kind, workflowId, workflowVersion, tenantId, depth }: RunRecord): Attributes {
  return {
    "oven.execution.id": id,
    "oven.execution.kind": kind,
    "oven.workflow.id": workflowId,
    "oven.workflow.version": workflowVersion,
    "oven.tenant.id": tenantId,
    "oven.run.depth": depth,
    "gen_ai.operation.name": "invoke_workflow",
  };
}

function nodeAttributes({ src, version, node, settings, principal }: NodeCall): Attributes {
  return {
    "oven.execution.id": node.executionId,
    "oven.execution.kind": node.kind,
    "oven.workflow.id": settings.workflowId,
    "oven.workflow.name": settings.workflowName,
    "oven.tenant.id": principal.tenantId,
    "oven.node.id": node.nodeId,
    "oven.node.type": src,
    "oven.node.version": version,
    "oven.node.visit": node.visit,
    "oven.node.attempt": node.attempt,
    ...(node.item === null ? {} : { "oven.node.item": node.item }),
  };
}
