import type { DraftCase } from "../../../../packages/contract/src/doors/workflow.ts";
import type { JsonObject } from "../../../../packages/contract/src/index.ts";
import type { ModelReply } from "../../../../packages/testing/src/index.ts";
import type { BenchTask } from "../task.ts";
import { type Blunder, blundersIn, isReported } from "./blunders.ts";
import { type BuilderPlayer, toCall } from "./perfect-model.ts";
import { type ReadRequest, readAnswer } from "./read-request.ts";
import { draw, seeded } from "./seeded.ts";
import { planSolution, type StepChange, statesOf } from "./solution-plan.ts";

/** Blunders in how it talks, beside those in what it writes. */
const HABITS = [
  "bad JSON",
  "unknown tool",
  "old revision",
  "gives up",
  "claims success",
  "publishes",
  "another workflow",
] as const;
type Habit = (typeof HABITS)[number];

/** How many problems it looks at in one answer. */
const MOST_AT_ONCE = 2;
const MOST_CHECKS = 4;

/**
 * Solves a task with 3 to 6 blunders of its own, always the same ones. It corrects what an answer names by its place, or what it finds in a run that
 * failed, and nothing else: what is not named stays wrong.
 */
export class ClumsyModel implements BuilderPlayer {
  readonly habits: ReadonlySet<Habit>;
  readonly made: readonly Blunder[];
  readonly #active: Set<Blunder>;
  readonly #reference: Record<string, JsonObject>;
  readonly #cases: readonly DraftCase[];
  readonly #other: number;
  /** What it still has to do. */
  readonly #todo: (() => ModelReply)[] = [];
  /** States that the draft has, as it wrote them. */
  readonly #written = new Set<string>();
  readonly #toFix = new Set<string>();
  readonly #runs: number[] = [];
  /** What it sends again without the habit, when the call is refused. */
  #again: (() => ModelReply) | undefined;
  #isChange = false;
  #checks = 0;

  /** @param other id of a workflow that is none of its business */
  constructor(task: BenchTask, { cases, other }: { cases: readonly DraftCase[]; other: number }) {
    const random = seeded(task.id);
    this.#reference = statesOf(task.reference);
    this.#cases = cases;
    this.#other = other;
    const plan = planSolution(task);
    const own = Object.fromEntries(plan.flatMap(({ put = {} }) => Object.entries(put)));
    this.made = oneForEachState(draw(blundersIn(own), 40, random)).slice(0, 2 + Math.floor(random() * 2));
    this.#active = new Set(this.made);
    this.habits = new Set(draw(HABITS, 1 + Math.floor(random() * 3), random));
    this.#todo.push(() => toCall("read_steps", {}));
    plan.forEach((change, index) => {
      this.#todo.push(() => this.#change(change, index));
    });
    if (this.habits.has("publishes")) this.#todo.push(() => toCall("publish_agent_workflow", { draft_revision: 1 }));
    if (!this.habits.has("claims success")) this.#todo.push(() => this.#check());
  }

  answer({ news }: ReadRequest): ModelReply {
    for (const { role, text } of news) {
      if (role === "user") this.#hear(text);
      else this.#read(text);
    }
    const again = this.#again;
    this.#again = undefined;
    this.#isChange = false;
    if (again !== undefined) return again();
    const next = this.#fix() ?? this.#look() ?? this.#todo.shift()?.();
    return next ?? { text: "It is done, and all tests pass." };
  }

  /** What the server says after its last words. */
  #hear(text: string): void {
    const paths = [...text.matchAll(/not valid at (\S+):/g)].map(([, path = ""]) => path);
    this.#heal(paths);
    this.#healNamed(text);
    if (/No test case was written|does not pass/.test(text) && this.#checks < MOST_CHECKS)
      this.#todo.push(() => this.#check());
  }

  #read(text: string): void {
    const { problems = [], cases, draft_revision: revision } = readAnswer(text);
    if (this.#isChange && typeof revision === "number") this.#again = undefined;
    this.#heal(problems.map(({ path }) => path));
    const failed = (cases ?? []).filter(({ passed }) => !passed);
    for (const { reason, runId } of failed) {
      this.#healNamed(reason ?? "");
      if (runId !== null) this.#runs.push(runId);
    }
    // A run that it has opened: the steps that it went through are looked at once more.
    if (text.includes('"run_id"')) for (const { state } of this.#active) this.#healStep(state, text);
  }

  #heal(paths: readonly string[]): void {
    let left = MOST_AT_ONCE;
    for (const blunder of [...this.#active]) {
      if (left === 0 || !this.#written.has(blunder.top)) continue;
      if (!paths.some((path) => isReported(blunder, path))) continue;
      this.#undo(blunder);
      left -= 1;
    }
  }

  /** A message that names the step: `MISSING_VALUE at shape: …`. */
  #healNamed(text: string): void {
    for (const blunder of [...this.#active])
      if (this.#written.has(blunder.top) && text.includes(` at ${blunder.state}:`)) this.#undo(blunder);
  }

  #healStep(state: string, run: string): void {
    for (const blunder of [...this.#active])
      if (blunder.state === state && blunder.kind === "value" && run.includes(`"step":"${state}"`)) this.#undo(blunder);
  }

  #undo(blunder: Blunder): void {
    this.#active.delete(blunder);
    this.#toFix.add(blunder.top);
  }

  #fix(): ModelReply | undefined {
    if (this.#toFix.size === 0) return undefined;
    const put = Object.fromEntries([...this.#toFix].map((id) => [id, this.#stateOf(id)]));
    this.#toFix.clear();
    if (this.#checks > 0 && this.#checks < MOST_CHECKS) this.#todo.push(() => this.#check());
    return toCall("change_steps", { put });
  }

  #look(): ModelReply | undefined {
    const run = this.#runs.shift();
    this.#runs.length = 0;
    return run === undefined ? undefined : toCall("get_run", { run_id: run });
  }

  #check(): ModelReply {
    this.#checks += 1;
    return toCall("check_draft", JSON.parse(JSON.stringify({ cases: this.#cases })));
  }

  #change({ put = {}, ...more }: StepChange, index: number): ModelReply {
    const ids = Object.keys(put);
    const send = (extra: JsonObject = {}): ModelReply => {
      for (const id of ids) this.#written.add(id);
      const states = Object.fromEntries(ids.map((id) => [id, this.#stateOf(id)]));
      return toCall("change_steps", { ...JSON.parse(JSON.stringify(more)), put: states, ...extra });
    };
    if (index > 0) return send(this.habits.has("old revision") ? { draft_revision: 0 } : {});
    if (this.habits.has("gives up")) this.#todo.unshift(() => ({ text: "I am sorry, I cannot do this." }));
    // One habit after the other, each until it is refused.
    const wrong: (() => ModelReply)[] = [];
    if (this.habits.has("bad JSON"))
      wrong.push(() => ({ toolCalls: [{ name: "build_change_steps", rawArguments: '{"put": {"first": ' }] }));
    if (this.habits.has("unknown tool")) wrong.push(() => toCall("update_states", { put: {} }));
    if (this.habits.has("another workflow")) wrong.push(() => send({ workflow_id: this.#other }));
    const attempt = (): ModelReply => {
      const reply = wrong.shift();
      if (reply === undefined) return send();
      this.#again = attempt;
      this.#isChange = true;
      return reply();
    };
    return attempt();
  }

  #stateOf(id: string): JsonObject {
    const copy = structuredClone(this.#reference[id] ?? {});
    for (const blunder of this.#active) if (blunder.top === id) blunder.apply(copy);
    return copy;
  }
}

function oneForEachState(blunders: readonly Blunder[]): Blunder[] {
  const seen = new Set<string>();
  return blunders.filter(({ statePath, top }) => {
    const isFirst = !seen.has(top) && !seen.has(statePath);
    seen.add(top);
    seen.add(statePath);
    return isFirst;
  });
}
