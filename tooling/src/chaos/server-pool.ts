import type { ChaosServer } from "./chaos-server.ts";

/** Server processes on one database. One that is killed is replaced while the others go on with its runs. */
export class ServerPool {
  readonly #start: () => Promise<ChaosServer>;
  readonly #size: number;
  readonly #servers: ChaosServer[] = [];
  #filling: Promise<void> | undefined;
  #failure: unknown;
  #isStopped = false;

  constructor(start: () => Promise<ChaosServer>, size: number) {
    this.#start = start;
    this.#size = size;
  }

  /** One that answers: the one that has been there longest. */
  async main(): Promise<ChaosServer> {
    for (;;) {
      this.#fill();
      const [first] = this.#servers;
      if (first !== undefined) return first;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#filling;
    }
  }

  /** The one with this process id; undefined: it is gone. */
  find(pid: number): ChaosServer | undefined {
    return this.#servers.find((server) => server.pid === pid);
  }

  /** Takes out one whose process has ended, or will. */
  async remove(server: ChaosServer): Promise<void> {
    const position = this.#servers.indexOf(server);
    if (position !== -1) this.#servers.splice(position, 1);
    await server.exited;
  }

  /** Ends all. Answers what each ended with, and its errors. */
  async stop(signal: NodeJS.Signals): Promise<{ code: number | null; errors: string }[]> {
    this.#isStopped = true;
    await this.#filling;
    const all = this.#servers.splice(0);
    for (const server of all) server.signal(signal);
    return Promise.all(all.map(async (server) => ({ code: await server.exited, errors: server.errors() })));
  }

  /** Starts what is missing, one after the other, so that those that work keep the processor. */
  #fill(): void {
    if (this.#filling !== undefined || this.#isStopped || this.#servers.length >= this.#size) return;
    this.#filling = this.#start()
      .then(
        (server) => void this.#servers.push(server),
        (error: unknown) => {
          this.#failure = error;
        },
      )
      .finally(() => {
        this.#filling = undefined;
        if (this.#failure === undefined) this.#fill();
      });
  }
}
