import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "../../../../packages/contract/src/index.ts";
import type { TestOven } from "../../../../packages/testing/src/index.ts";
import type { AcceptanceCase, ScriptedDecision, ScriptedEvent } from "../task.ts";
import type { SeenRun } from "./compare-run.ts";
import { must, TABLES } from "./world.ts";

const LOOK_AGAIN_MS = 10;
/** A run that does nothing for so long waits for what does not come. */
const PATIENCE_MS = 20_000;
/** Looks at which nothing has changed, after which it is taken to wait. */
const LOOKS_AT_REST = 4;
const HOUR_MS = 3_600_000;

interface Run {
  id: number;
  status: string;
  outcome: string | null;
  output: SeenRun["output"];
  errorInfo: { code: string; message: string; nodeId: string | null } | null;
  waitingUntil: string | null;
  checkpoint: { waiting: { dueAt: string | null }[] } | null;
}

/** What became of a run, without the calls that services saw. */
export interface PlayedRun extends Omit<SeenRun, "calls"> {
  /** Null: it was not started. */
  runId: number | null;
}

/** Starts runs and plays the people and the outside world for them. */
export class RunPlayer {
  readonly #oven: TestOven;

  constructor(oven: TestOven) {
    this.#oven = oven;
  }

  /** All tables have these rows and no others. */
  async fillTables(rows: Record<string, readonly JsonObject[]>): Promise<void> {
    for (const table of Object.keys(TABLES)) {
      const old = await this.#rowsOf(table);
      if (old.length > 0)
        await must(this.#oven, "POST", `tables/${table}/rows/delete`, {
          rows: old.map(({ id, version }) => ({ id, version })),
        });
      const fresh = rows[table] ?? [];
      if (fresh.length > 0) await must(this.#oven, "POST", `tables/${table}/rows`, { rows: fresh });
    }
  }

  /** One run to its end, or until it waits for what the case does not have. */
  async play(workflow: number, one: Omit<AcceptanceCase, "expect">): Promise<PlayedRun> {
    const path = `agent-workflows/${workflow}/execute?wait=20`;
    const started = await this.#oven.call("POST", path, { input: one.input });
    if (started.status >= 300) return refused(started.body?.error?.code);
    const id: number = started.body.id;
    try {
      return await this.#follow(id, one);
    } finally {
      // What the next case sees must be its own.
      await this.#oven.call("POST", `agent-workflow-executions/${id}/cancel`, {});
    }
  }

  async #follow(id: number, one: Omit<AcceptanceCase, "expect">): Promise<PlayedRun> {
    const decisions = [...(one.decisions ?? [])];
    const events = [...(one.events ?? [])];
    const reviews: JsonObject[] = [];
    let run = await this.#runOf(id);
    let waitsHours: number | null = null;
    const until = Date.now() + PATIENCE_MS;
    let [still, before] = [0, ""];
    while (Date.now() < until && !hasEnded(run)) {
      const open = await this.#openReview(run);
      if (open !== undefined && !reviews.some(({ id }) => id === open.id)) reviews.push(open);
      const dueAt = lastDue(run);
      if (dueAt !== undefined) waitsHours = (dueAt - Date.now()) / HOUR_MS;
      const now = JSON.stringify([run.status, run.checkpoint, open?.id]);
      still = now === before ? still + 1 : 0;
      before = now;
      const decision = open === undefined ? undefined : decisions.shift();
      if (decision !== undefined) await this.#decide(open, decision);
      else if (run.status === "paused" && still >= LOOKS_AT_REST) {
        const event = open === undefined ? events.shift() : undefined;
        if (event !== undefined) await this.#send(run, event);
        // It waits for a person or an event that the case does not have.
        else if (one.late !== true) break;
        still = 0;
      }
      await setTimeout(LOOK_AGAIN_MS);
      run = await this.#runOf(run.id);
    }
    return {
      runId: id,
      status: hasEnded(run) ? run.status : "still waiting",
      outcome: run.outcome,
      error:
        run.errorInfo === null ? null : `${run.errorInfo.code} at ${run.errorInfo.nodeId}: ${run.errorInfo.message}`,
      output: run.output,
      reviews,
      rows: await this.#allRows(),
      waitsHours,
    };
  }

  async #runOf(id: number): Promise<Run> {
    return must(this.#oven, "GET", `agent-workflow-executions/${id}`);
  }

  /** Also of its children: nothing else runs here. */
  async #openReview({ status }: Run): Promise<JsonObject | undefined> {
    if (status !== "paused") return undefined;
    const [review] = await must(this.#oven, "GET", `reviews?filter=${encodeURIComponent('{"status":"open"}')}`);
    return review;
  }

  async #decide(review: JsonObject | undefined, { action, data, reason }: ScriptedDecision): Promise<void> {
    await must(this.#oven, "POST", `reviews/${review?.id}/decide`, {
      ...{ action, digest: review?.digest },
      ...(data === undefined ? {} : { data }),
      ...(reason === undefined && action !== "reject" ? {} : { reason: reason ?? "Not like this." }),
    });
  }

  async #send({ id }: Run, { event, payload, correlation }: ScriptedEvent): Promise<void> {
    await must(this.#oven, "POST", `agent-workflow-executions/${id}/events`, {
      ...{ event, payload: payload ?? null },
      ...(correlation === undefined ? {} : { correlation: String(correlation) }),
    });
  }

  async #rowsOf(table: string): Promise<{ id: number; version: number; values: JsonObject }[]> {
    return must(this.#oven, "GET", `tables/${table}/rows?range=[0,999]`);
  }

  async #allRows(): Promise<Record<string, JsonObject[]>> {
    const all: Record<string, JsonObject[]> = {};
    for (const table of Object.keys(TABLES)) all[table] = (await this.#rowsOf(table)).map(({ values }) => values);
    return all;
  }
}

/** When the last of all that it waits for is due. */
function lastDue({ waitingUntil, checkpoint }: Run): number | undefined {
  const due = [waitingUntil, ...(checkpoint?.waiting ?? []).map(({ dueAt }) => dueAt)].filter((at) => at !== null);
  return due.length === 0 ? undefined : Math.max(...due.map((at) => Date.parse(at)));
}

function hasEnded({ status }: Run): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function refused(code: string | undefined): PlayedRun {
  const nothing = { runId: null, outcome: null, output: null, reviews: [], rows: {}, waitsHours: null };
  return { ...nothing, status: "refused", error: code ?? null };
}
