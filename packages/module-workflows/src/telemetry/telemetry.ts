import type { Database } from "@oven/db";
import type { ExecutionStore, NodeRunner } from "@oven/engine";
import type { ModuleDeps } from "@oven/module-registry";
import { allRuns, namesOf, type RunKinds } from "../runtime/run-kinds.ts";
import { logNodes } from "./logged-runner.ts";
import { observeRuns, type RunObserver } from "./observe-runs.ts";
import { RunLogs, type WriteLine } from "./run-logs.ts";
import { type MeasuredGauge, RunMetrics } from "./run-metrics.ts";
import { RunTracing } from "./run-tracing.ts";

export interface TelemetryOptions {
  db: Database;
  kinds: RunKinds;
  secret: string;
  kindOf(src: string): string | undefined;
  /** `OTEL_…` and `OVEN_LOG_FORMAT`. */
  environment: Readonly<Record<string, string | undefined>>;
  write?: WriteLine;
  /** What modules measure. */
  gauges?: readonly MeasuredGauge[];
}

/** Metrics always, spans when they are sent somewhere, log lines when they are asked for. */
export class Telemetry {
  readonly metrics: RunMetrics;
  readonly #observers: RunObserver[];
  readonly #tracing: RunTracing | undefined;
  readonly #isJson: boolean;

  constructor({ db, kinds, secret, kindOf, environment, write, gauges }: TelemetryOptions) {
    this.metrics = new RunMetrics(() => countLiveRuns(db, kinds), gauges);
    this.#observers = [this.metrics];
    if (isTraced(environment)) {
      this.#tracing = new RunTracing({ secret, kindOf, rootOf: (id) => findRoot(db, kinds, id) });
      this.#observers.push(this.#tracing);
    }
    this.#isJson = environment.OVEN_LOG_FORMAT === "json";
    if (this.#isJson) this.#observers.push(new RunLogs(write ?? ((line) => void process.stdout.write(`${line}\n`))));
  }

  observe<Store extends ExecutionStore>(store: Store): Store {
    return observeRuns(store, this.#observers);
  }

  /** The runner with spans, and with log lines that name their run, as far as either is asked for. */
  trace(nodes: NodeRunner): NodeRunner {
    const logged = this.#isJson ? logNodes(nodes) : nodes;
    return this.#tracing?.trace(logged) ?? logged;
  }
}

/** Whether spans are sent anywhere, by OpenTelemetry's own settings. */
export function isTraced(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  if (OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** What all modules measure. */
export function gaugesOf(deps: ModuleDeps): MeasuredGauge[] {
  const gauges = deps.registry.modules().flatMap((module) => module.gauges);
  return gauges.map((gauge) => ({ ...gauge, read: () => gauge.read(deps) }));
}

async function findRoot(db: Database, kinds: RunKinds, executionId: number): Promise<number> {
  const [row] = await db.query<{ root: number }>(
    `select coalesce(root_id, id) as root from (${allRuns(kinds.all(), "id, root_id")}) r where id = $1`,
    [executionId],
  );
  return row?.root ?? executionId;
}

async function countLiveRuns(db: Database, kinds: RunKinds) {
  const counted = kinds
    .all()
    .map(
      (kind) =>
        `select '${kind.kind.kind}' as kind, status, count(*)::int as runs from ${namesOf(kind).executions} where status in ('pending', 'running', 'paused') group by status`,
    );
  return db.query<{ kind: string; status: string; runs: number }>(counted.join(" union all "));
}
