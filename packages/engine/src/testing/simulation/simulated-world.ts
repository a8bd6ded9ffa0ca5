import type { Principal } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import {
  type CompiledMachine,
  compileDefinition,
  type DefinitionSource,
  outlineOf,
  RunBases,
  validateDefinition,
} from "../../index.ts";
import { MemoryStore } from "../memory-store.ts";
import { SimulatedClock } from "../simulated-clock.ts";
import { Answers } from "./answers.ts";
import { CallLedger } from "./call-ledger.ts";
import type { Case, Fault } from "./shape.ts";
import { simulatedCatalog } from "./simulated-nodes.ts";
import { SimulatedWorkers } from "./simulated-workers.ts";
import { type Drawn, toDefinition } from "./to-definition.ts";
import { Violation } from "./violation.ts";

const PRINCIPAL: Principal = { kind: "system", userId: null, tenantId: 1, permissions: ["*"] };
const MAX_MOVES = 20_000;
/** A node that is lost more often than this fails, which a calm case must not bring about. */
const CALM_DISRUPTIONS = 5;
const HOUR_MS = 3_600_000;

export interface WorldOptions {
  drawn?: Drawn;
  /** Epoch milliseconds. */
  now?: number;
  /** Each time nothing moves the runs but a person, an event or time. */
  onRest?: ((world: SimulatedWorld) => void) | undefined;
}

/** One run and its children, some worker processes, a person who answers, and what goes wrong, move by move on a simulated clock. */
export class SimulatedWorld {
  readonly clock: SimulatedClock;
  readonly store: MemoryStore;
  readonly drawn: Drawn;
  readonly ledger: CallLedger;
  /** Where runs begin, and their contexts. */
  readonly bases: RunBases;
  readonly #case: Case;
  readonly #answers: Answers;
  readonly #workers: SimulatedWorkers;
  readonly #onRest: WorldOptions["onRest"];
  #moves = 0;
  #disruptions = 0;
  #runId = 0;

  /** @throws Violation when the definition that was drawn does not validate */
  constructor(given: Case, { drawn = toDefinition(given), now, onRest }: WorldOptions = {}) {
    this.#case = given;
    this.#onRest = onRest;
    this.clock = new SimulatedClock(now);
    this.store = new MemoryStore(this.clock);
    this.drawn = drawn;
    this.ledger = new CallLedger(this.store);
    this.#answers = new Answers(this.store, this.clock, drawn.shapes);
    const { store, clock, ledger } = this;
    const definitions = definitionsOf(drawn);
    this.bases = new RunBases(store, definitions);
    this.#workers = new SimulatedWorkers({ store, clock, definitions, drawn, ledger });
  }

  get runId(): number {
    return this.#runId;
  }

  get runIds(): number[] {
    return [...this.store.runs.keys()];
  }

  /** How often a person had an at-most-once call made again, by its name. */
  get reruns(): ReadonlyMap<string, number> {
    return this.#answers.reruns;
  }

  /** From its start to where nothing moves it any more. @throws Violation */
  async run(): Promise<void> {
    const run = { workflowId: 1, workflowVersion: 1, tenantId: 1, input: {}, principal: PRINCIPAL };
    await this.store.create({ kind: "workflow", ...run });
    await this.goOn();
  }

  /** What is in the store already, the first run being the root, goes on. @throws Violation */
  async goOn(): Promise<void> {
    this.#runId = Math.min(...this.runIds);
    this.#workers.hire(this.#case.workers);
    const faults = [...this.#case.faults];
    let rest = faults[0]?.after ?? 0;
    this.#workers.wake(this.#runId);
    for (;;) {
      this.#moves += 1;
      if (this.#moves > MAX_MOVES) throw new Violation(`the run does not come to rest within ${MAX_MOVES} moves`);
      await this.#workers.settle();
      const fault = faults[0];
      if (fault && rest <= 0) {
        faults.shift();
        rest = faults[0]?.after ?? 0;
        await this.#strike(fault);
        continue;
      }
      rest -= 1;
      if (await this.#progress()) continue;
      if (faults.length === 0) break;
      rest = 0;
    }
    await this.#wakeTheFrozen();
  }

  /** Everything a call in flight or a late process could still do is done; runs that ended must not change. */
  async #wakeTheFrozen(): Promise<void> {
    const ended = this.runIds.filter((id) => isTerminal(this.store.run(id).status));
    const read = (): string => JSON.stringify(ended.map((id) => this.store.run(id)));
    const before = read();
    await this.#workers.wakeTheFrozen();
    if (read() !== before) throw new Violation("a run that had ended was changed by a late process");
  }

  /** Something that moves the run by itself; false when nothing does. */
  async #progress(): Promise<boolean> {
    const { ready } = this.#workers;
    const { order } = this.#case;
    const next = ready[(order[this.#moves % Math.max(1, order.length)] ?? 0) % Math.max(1, ready.length)];
    if (next) {
      this.#workers.release(next);
      return true;
    }
    const live = this.runIds.map((id) => this.store.run(id)).filter(({ status }) => !isTerminal(status));
    if (live.length === 0) return false;
    this.#workers.checkIdle();
    if (await this.#workers.sweep()) return true;
    const leases = live.flatMap(({ lease }) => lease?.until ?? []);
    if (leases.length > 0) {
      // Its holder is dead or frozen: the lease must end before anyone else goes on.
      await this.clock.advance(Math.max(1, Math.min(...leases) - this.clock.now() + 1));
      return true;
    }
    this.#onRest?.(this);
    for (const { id } of live) {
      if (!(await this.#answers.give(id))) continue;
      this.#workers.wake(id);
      return true;
    }
    const due = await this.store.nextDue();
    if (due === null) {
      const idle = live.find(({ status }) => status !== "paused");
      if (idle) throw new Violation(`run ${idle.id} is ${idle.status} and nothing would ever move it`);
      return false;
    }
    // A worker whose clock is late looks at it late.
    await this.clock.advance(Math.max(Date.parse(due) - this.clock.now(), 0) || HOUR_MS);
    return true;
  }

  async #strike(fault: Fault): Promise<void> {
    const { kind, worker, amount } = fault;
    const disrupts = /^(crash|freeze|error|restart|tick)/.test(kind);
    if (disrupts && this.#case.calm && this.#disruptions >= CALM_DISRUPTIONS) return;
    if (disrupts) this.#disruptions += 1;
    if (kind === "tick") await this.clock.advance(amount * 200);
    else if (kind === "jump") await this.clock.advance(amount * 20_000);
    else if (kind === "cancel" || kind === "event" || kind === "decide" || kind === "decide twice") {
      const ids = this.runIds;
      const id = ids[amount % ids.length] ?? this.#runId;
      if (await this.#answers.disturb(id, kind, amount)) this.#workers.wake(id, worker);
    } else await this.#workers.strike(fault);
  }
}

/** @throws Violation when the definition does not validate */
function definitionsOf({ definition: json }: Drawn): DefinitionSource {
  const catalog = simulatedCatalog();
  const { definition, problems } = validateDefinition(json, catalog);
  if (!definition) throw new Violation(`the definition does not validate: ${JSON.stringify(problems)}`);
  const compiled = new Map<string | null, CompiledMachine>();
  return {
    load: async ({ part }) => {
      const known = compiled.get(part) ?? compileDefinition(definition, catalog, { part });
      compiled.set(part, known);
      return { compiled: known, workflowName: "Simulated" };
    },
    outline: async (_kind, _id, _version, part) => outlineOf(definition, part),
  };
}
