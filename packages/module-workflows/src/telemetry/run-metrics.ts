import { isTerminal } from "@oven/contract/run";
import type { RunCommit, RunRecord } from "@oven/engine";
import type { Gauge as GaugeDefinition, GaugeValue } from "@oven/module-registry";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RunObserver } from "./observe-runs.ts";

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];
/** `taken-over`: this process took a run from one that had not given it up; `fenced`: a commit of this process came too late. */
const LOSSES = ["taken-over", "fenced"] as const;
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.02, 0.1, 0.5, 2];

/** How many live runs there are: by kind and status. */
export type CountLiveRuns = () => Promise<{ kind: string; status: string; runs: number }[]>;

/** Of how many workflows the ends are counted one by one; those of others are one row, `workflow_id="other"`. */
const COUNTED_WORKFLOWS = 1_000;

/** What is measured when metrics are read. */
export type MeasuredGauge = Pick<GaugeDefinition, "name" | "help" | "labels"> & {
  read(): Promise<readonly GaugeValue[]>;
};

/**
 * Counts what this process does, for Prometheus. Labels are bounded: kinds, statuses, node types and the ids of a thousand
 * workflows, never tenants, runs or names.
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
  readonly #workflowEnds: Counter<"kind" | "workflow_id" | "status">;
  readonly #leaseLosses: Counter<"seen">;
  readonly #countedWorkflows = new Set<string>();
  readonly #unread: Gauge<string>;
  readonly #gauges: { measured: MeasuredGauge; gauge: Gauge<string> }[] = [];
  #collectsProcess = false;

  constructor(countLiveRuns: CountLiveRuns, gauges: readonly MeasuredGauge[] = []) {
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
    this.#workflowEnds = counter("oven_workflow_runs_ended_total", "Runs that ended here, by workflow", [
      "kind",
      "workflow_id",
      "status",
    ]);
    this.#leaseLosses = counter("oven_lease_losses_total", "Runs that a process lost without giving them up", ["seen"]);
    for (const seen of LOSSES) this.#leaseLosses.inc({ seen }, 0);
    this.#unread = new Gauge({
      name: "oven_gauges_unread",
      help: "Values that could not be measured at this scrape",
      registers,
    });
    const live: MeasuredGauge = {
      name: "oven_runs_live",
      help: "Runs of the installation that have not ended",
      labels: ["kind", "status"],
      read: async () =>
        (await countLiveRuns()).map(({ kind, status, runs }) => ({ labels: { kind, status }, value: runs })),
    };
    for (const measured of [live, ...gauges]) {
      const { name, help, labels = [] } = measured;
      this.#gauges.push({ measured, gauge: new Gauge({ name, help, labelNames: [...labels], registers }) });
    }
  }

  /** The text format of Prometheus. */
  async text(): Promise<{ contentType: string; body: string }> {
    // Measuring the process costs a little all the time, so it begins when somebody asks for it.
    if (!this.#collectsProcess) collectDefaultMetrics({ register: this.#registry });
    this.#collectsProcess = true;
    await this.#measure();
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  /** What cannot be measured is left out and counted: while the database is away the process still answers for itself. */
  async #measure(): Promise<void> {
    const read = await Promise.allSettled(this.#gauges.map(({ measured }) => measured.read()));
    let unread = 0;
    for (const [index, { measured, gauge }] of this.#gauges.entries()) {
      gauge.reset();
      const values = read[index];
      if (values?.status === "fulfilled") {
        // What has no labels is 0 after `reset`, which would be a wrong value where nothing was measured.
        if (values.value.length === 0) gauge.remove({});
        for (const { labels = {}, value } of values.value) gauge.set(labels, value);
        continue;
      }
      unread++;
      gauge.remove({});
      console.warn(`measuring ${measured.name} failed:`, values?.reason);
    }
    this.#unread.set(unread);
  }

  onClaimed({ takenOver }: RunRecord): void {
    this.#active.inc();
    if (takenOver) this.#leaseLosses.inc({ seen: "taken-over" });
  }

  onFenced(): void {
    this.#leaseLosses.inc({ seen: "fenced" });
  }

  onReleased(): void {
    this.#active.dec();
  }

  onCommitted({ kind, workflowId }: RunRecord, { columns, events, rows }: RunCommit, durationMs: number): void {
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
    this.#workflowEnds.inc({ kind, workflow_id: this.#toCounted(kind, workflowId), status: columns.status });
    const { startedAt, completedAt } = columns;
    if (startedAt !== null && completedAt !== null)
      this.#runSeconds.observe({ kind }, Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)) / 1_000);
  }

  #toCounted(kind: string, workflowId: number): string {
    const key = `${kind} ${workflowId}`;
    if (this.#countedWorkflows.size < COUNTED_WORKFLOWS) this.#countedWorkflows.add(key);
    return this.#countedWorkflows.has(key) ? String(workflowId) : "other";
  }
}
