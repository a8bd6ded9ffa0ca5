import { type DefinitionSource, RunEngine } from "../../index.ts";
import type { MemoryStore } from "../memory-store.ts";
import type { SimulatedClock } from "../simulated-clock.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { Fault } from "./shape.ts";
import { type HeldCall, SimulatedNodes, simulatedCatalog } from "./simulated-nodes.ts";
import { Disconnected, SimulatedProcess } from "./simulated-process.ts";
import type { Drawn } from "./to-definition.ts";
import { Violation } from "./violation.ts";

const LEASE_MS = 1_500;

interface Worker {
  process: SimulatedProcess;
  engine: RunEngine;
}

interface SimulatedWorkersOptions {
  store: MemoryStore;
  clock: SimulatedClock;
  definitions: DefinitionSource;
  drawn: Drawn;
  ledger: CallLedger;
}

/** The worker processes, those that died or sleep among them, and the calls they have in flight. */
export class SimulatedWorkers {
  readonly #options: SimulatedWorkersOptions;
  readonly #catalog = simulatedCatalog();
  /** At work, by their place. */
  readonly #workers: Worker[] = [];
  /** Everyone who ever was. */
  readonly #crowd: Worker[] = [];
  #held: HeldCall[] = [];
  #dropWake = false;
  #wakes = 0;
  #broken: unknown;

  constructor(options: SimulatedWorkersOptions) {
    this.#options = options;
  }

  hire(count: number): void {
    for (let index = 0; index < count; index += 1) this.#workers.push(this.#start());
  }

  /** Calls in flight of processes that can hear their answers. */
  get ready(): HeldCall[] {
    return this.#held.filter(({ worker }) =>
      this.#crowd.some(({ process }) => process.name === worker && process.isAlive),
    );
  }

  release(call: HeldCall): void {
    this.#held = this.#held.filter((held) => held !== call);
    call.release();
  }

  /** Wakes a run on one of the living, unless this wake-up is to be lost. */
  wake(id: number, which = this.#wakes): void {
    this.#wakes += 1;
    if (this.#dropWake) {
      this.#dropWake = false;
      return;
    }
    const alive = this.#workers.filter(({ process }) => process.isAlive);
    const worker = alive[which % Math.max(1, alive.length)];
    if (worker) this.#advance(worker.engine, id);
  }

  /** What each worker's sweeper finds by its own clock; false when nothing came of it. */
  async sweep(): Promise<boolean> {
    const { store, clock } = this.#options;
    let woken = false;
    for (const { process, engine } of this.#workers) {
      if (!process.isAlive) continue;
      // Wake-ups go by the worker's clock, leases by the database's.
      const due = await store.dueRuns(new Date(process.clock.now()).toISOString(), 10);
      const found = [...due, ...(await store.stuckRuns(new Date(clock.now()).toISOString(), 10))];
      for (const id of new Set(found)) {
        const before = { ...store.run(id) };
        this.#advance(engine, id);
        await this.settle();
        // A parent that waits for a child is looked at, and has nothing to do.
        const { seq, epoch, lease } = store.run(id);
        if (seq !== before.seq || (epoch !== before.epoch && lease !== null)) woken = true;
      }
    }
    return woken;
  }

  /** A living process that has no call in flight has nothing to hold a run for. @throws Violation */
  checkIdle(): void {
    for (const { process, engine } of this.#crowd)
      if (process.isAlive && engine.activeRuns > 0)
        throw new Violation(`${process.name} keeps a run although it has nothing to do for it`);
  }

  /** Wakes up who sleeps, and lets every call in flight return. */
  async wakeTheFrozen(): Promise<void> {
    for (const { process } of this.#crowd) {
      process.trap = undefined;
      process.thaw();
    }
    for (let round = 0; round < 5; round += 1) {
      for (const held of this.#held.splice(0)) held.release();
      await this.#options.clock.advance(LEASE_MS);
      await this.settle();
    }
  }

  /** Everything that waits for nothing outside the simulation is done after this. @throws Violation */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const { violation } = this.#options.ledger;
    if (this.#broken !== undefined)
      throw new Violation(`the engine broke: ${String(this.#broken)}`, { cause: this.#broken });
    if (violation !== undefined) throw new Violation(violation);
  }

  /** What befalls a process. */
  async strike({ kind, worker: which, amount }: Fault): Promise<void> {
    const index = which % this.#workers.length;
    const worker = this.#workers[index];
    if (!worker) return;
    const { process, engine } = worker;
    if (kind === "crash") process.kill();
    else if (kind === "freeze") process.freeze();
    else if (kind === "drain") void engine.stop();
    else if (kind === "skew") process.skewMs = (amount - 4) * 600_000;
    else if (kind === "lose wake") this.#dropWake = true;
    else if (kind === "thaw") for (const other of this.#crowd) other.process.thaw();
    else if (kind === "double wake") for (const other of [...this.#workers, worker]) this.#advanceAll(other.engine);
    else if (kind === "restart all") {
      for (const other of this.#crowd) other.process.kill();
      this.#workers.splice(0, this.#workers.length, this.#start());
      await this.#options.store.voidLeases();
    } else {
      const [effect, when] = kind.split(" ") as ["crash" | "freeze" | "error", "before" | "after"]; // cast: the kinds left
      process.trap = { effect, when };
    }
    // Someone takes the place of who is gone, or will be.
    if (/^(crash|freeze|drain)/.test(kind)) this.#workers[index] = this.#start();
    if (process.trap) this.#advanceAll(engine);
  }

  #advanceAll(engine: RunEngine): void {
    for (const id of this.#options.store.runs.keys()) this.#advance(engine, id);
  }

  #advance(engine: RunEngine, id: number): void {
    engine.advance(id).catch((cause: unknown) => this.#note(cause));
  }

  #note(cause: unknown): void {
    if (!(cause instanceof Disconnected)) this.#broken = cause;
  }

  #start(): Worker {
    const { store, clock, definitions, drawn, ledger } = this.#options;
    const name = `worker ${this.#crowd.length + 1}`;
    const process = new SimulatedProcess(name, store, clock);
    const nodes = new SimulatedNodes(
      {
        shapes: drawn.shapes,
        mayChat: !drawn.isParallel,
        now: () => clock.now(),
        failuresOf: (call) => ledger.failuresOf(call),
        hold: (held) => {
          ledger.note(held.call, name);
          this.#held.push({ ...held, release: () => void process.pass().then(() => held.release()) });
        },
      },
      name,
    );
    const engine = new RunEngine({
      store: process.store,
      nodes,
      catalog: this.#catalog,
      definitions,
      clock: process.clock,
      ids: store.ids,
      worker: name,
      leaseMs: LEASE_MS,
      onCommit: (_id, _seq, { children, outgoing }) => {
        for (const { id } of children) this.wake(id);
        for (const { executionId } of outgoing) this.wake(executionId);
      },
      onError: (cause) => this.#note(cause),
    });
    const worker = { process, engine };
    this.#crowd.push(worker);
    return worker;
  }
}
