import { isTerminal } from "@oven/contract/run";
import type { RunCommit, RunRecord } from "@oven/engine";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RunObserver } from "./observe-runs.ts";

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.02, 0.1, 0.5, 2];

/** How many live runs there are: by kind and status. */
export type CountLiveRuns = () => Promise<{ kind: string; status: string; runs: number }[]>;

/**
 * Counts what this process does, for Prometheus. Labels are bounded: kinds, statuses and node types, never ids, tenants or
 * names of workflows.
 */
export class RunMetrics implements RunObserver {
  readonly #registry = new Registry();
  readonly #started: Counter<"kind">;
  readonly #ended: Counter<"kind" | "status">;
  readonly #runSeconds: Histogram<"kind">;
  readonly #nodes: Counter<"node_type" | "status">;
  readonly #nodeSeconds: Histogram<"node_type">;
  readonly #retries: Counter<string>;
  readonly #tokens: Counter<"direction">;
  readonly #cost: Counter<string>;
  readonly #commitSeconds: Histogram<string>;
  readonly #active: Gauge<string>;
  #collectsProcess = false;

  constructor(countLiveRuns: CountLiveRuns) {
    const registers = [this.#registry];
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter<Label>({ name, help, labelNames, registers });
    const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
      new Histogram<Label>({ name, help, buckets, labelNames, registers });
    this.#started = counter("oven_runs_started_total", "Runs that began here", ["kind"]);
    this.#ended = counter("oven_runs_ended_total", "Runs that ended here", ["kind", "status"]);
    this.#runSeconds = histogram("oven_run_duration_seconds", "From a run's start to its end", SECONDS, ["kind"]);
    this.#nodes = counter("oven_node_runs_total", "Node runs that ended here", ["node_type", "status"]);
    this.#nodeSeconds = histogram("oven_node_duration_seconds", "Duration of node runs", SECONDS, ["node_type"]);
    this.#retries = counter("oven_node_retries_total", "Further attempts of node runs after a failure");
    this.#tokens = counter("oven_model_tokens_total", "Tokens of model calls", ["direction"]);
    this.#cost = counter("oven_model_cost_usd_total", "Cost of model calls in US dollars");
    this.#commitSeconds = histogram("oven_commit_duration_seconds", "Duration of commits", COMMIT_SECONDS);
    this.#active = new Gauge({ name: "oven_runs_active", help: "Runs that this process works on", registers });
    new Gauge({
      name: "oven_runs_live",
      help: "Runs of the installation that have not ended",
      labelNames: ["kind", "status"],
      registers,
      async collect() {
        this.reset();
        for (const { kind, status, runs } of await countLiveRuns()) this.set({ kind, status }, runs);
      },
    });
  }

  /** The text format of Prometheus. */
  async text(): Promise<{ contentType: string; body: string }> {
    // Measuring the process costs a little all the time, so it begins when somebody asks for it.
    if (!this.#collectsProcess) collectDefaultMetrics({ register: this.#registry });
    this.#collectsProcess = true;
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  onClaimed(): void {
    this.#active.inc();
  }

  onReleased(): void {
    this.#active.dec();
  }

  onCommitted({ kind }: RunRecord, { columns, events, rows }: RunCommit, durationMs: number): void {
    this.#commitSeconds.observe(durationMs / 1_000);
    for (const { event, fields } of events) {
      if (event === "execution.started") this.#started.inc({ kind });
      else if (event === "node.completed" || event === "node.failed" || event === "node.cancelled") {
        const node_type = String(fields.nodeType);
        this.#nodes.inc({ node_type, status: event.slice("node.".length) });
        if (typeof fields.durationMs === "number") this.#nodeSeconds.observe({ node_type }, fields.durationMs / 1_000);
      }
    }
    for (const row of rows) {
      if (row.type === "attempt" && row.error !== null) this.#retries.inc();
      if (row.type !== "finish" || row.tokenUsage === null) continue;
      this.#tokens.inc({ direction: "input" }, row.tokenUsage.input);
      this.#tokens.inc({ direction: "output" }, row.tokenUsage.output);
      this.#cost.inc(row.costMicros / 1e6);
    }
    if (!isTerminal(columns.status)) return;
    this.#ended.inc({ kind, status: columns.status });
    const { startedAt, completedAt } = columns;
    if (startedAt !== null && completedAt !== null)
      this.#runSeconds.observe({ kind }, Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)) / 1_000);
  }
}
