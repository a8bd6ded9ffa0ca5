import type { Clock, ExecutionStore } from "../../index.ts";

/** What the next commit of a process meets: its end, a pause that outlasts the lease, or an error of the database. */
export interface Trap {
  effect: "crash" | "freeze" | "error";
  /** Whether the commit reaches the store. */
  when: "before" | "after";
}

/** The database did not answer; the caller cannot know whether it wrote. */
export class Disconnected extends Error {}

/**
 * A worker process as far as the engine can tell: what it asks of store, clock and nodes goes through here. A dead one
 * never hears back, a frozen one hears all of it later.
 */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly store: ExecutionStore;
  skewMs = 0;
  trap: Trap | undefined;
  #state: "alive" | "frozen" | "dead" = "alive";
  #thawed = Promise.withResolvers<void>();

  constructor(name: string, store: ExecutionStore, clock: Clock) {
    this.name = name;
    this.clock = {
      now: () => clock.now() + this.skewMs,
      setTimer: (at, callback) => clock.setTimer(at - this.skewMs, () => void this.pass().then(callback)),
    };
    this.store = this.#guard(store);
  }

  get isAlive(): boolean {
    return this.#state === "alive";
  }

  get isDead(): boolean {
    return this.#state === "dead";
  }

  kill(): void {
    this.#state = "dead";
  }

  freeze(): void {
    if (this.#state === "alive") this.#state = "frozen";
  }

  thaw(): void {
    if (this.#state !== "frozen") return;
    this.#state = "alive";
    this.#thawed.resolve();
    this.#thawed = Promise.withResolvers();
  }

  /** Resolves once the process runs; never when it is dead. */
  async pass(): Promise<void> {
    while (this.#state === "frozen") await this.#thawed.promise;
    if (this.#state === "dead") await new Promise(() => undefined);
  }

  #guard(store: ExecutionStore): ExecutionStore {
    return new Proxy(store, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          await this.pass();
          const trap = key === "commit" ? this.trap : undefined;
          if (trap) this.trap = undefined;
          if (trap?.when === "before") await this.#spring(trap);
          const answer: unknown = await member.apply(target, args);
          if (trap?.when === "after") await this.#spring(trap);
          await this.pass();
          return answer;
        };
      },
    });
  }

  async #spring({ effect }: Trap): Promise<void> {
    if (effect === "error") throw new Disconnected("the database did not answer");
    if (effect === "crash") this.kill();
    else this.freeze();
    await this.pass();
  }
}
