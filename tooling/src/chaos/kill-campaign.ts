import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { createTestDataDir } from "../../../packages/db/src/testing.ts";
import { type Answer, type ChaosServer, startChaosServer } from "./chaos-server.ts";
import { type ChaosShape, checkCampaign, EVERY_KIND } from "./check-campaign.ts";
import { type EffectLedger, startLedger } from "./effect-ledger.ts";
import { seededRandom } from "./random.ts";
import { ServerPool } from "./server-pool.ts";

export interface CampaignOptions {
  /** Undefined: PGlite in a fresh directory. */
  databaseUrl: string | undefined;
  runs: number;
  seed: number;
  /** Runs at once. */
  concurrency: number;
  /** Processes on the same database, PostgreSQL; else one. The one that makes a call is killed, and another goes on with its runs. */
  servers?: number;
  /** After so many kills the process is left alone. */
  maxKills: number;
  /** What is run; else a graph with every kind of step. */
  shape?: ChaosShape;
  /** Restarts the database every few seconds for as long as there is work; requests may then be refused and are sent again. */
  restartDatabase?: () => Promise<void>;
  onProgress?: (text: string) => void;
}

export interface CampaignResult {
  kills: number;
  effects: number;
  /** Calls made again after a kill. */
  repeated: number;
  /** Restarts of the database, and of processes that it took with it. */
  restarts: number;
  deaths: number;
  /** What did not hold, in words. */
  problems: string[];
}

/** One life of the server: when it is killed. */
type Life =
  | { kind: "effect"; count: number; when: "before" | "after"; delayMs: number }
  | { kind: "decision"; count: number }
  | { kind: "time"; ms: number };

const POLL_MS = 40;

/**
 * Starts runs and answers their reviews while the server process is killed with SIGKILL, at moments the seed chooses: in the
 * middle of calls, right after them, around decisions, at any time after its start. Then compares ledger and database.
 */
export class KillCampaign {
  readonly #options: CampaignOptions;
  readonly #shape: ChaosShape;
  readonly #random: () => number;
  readonly #dataDir = createTestDataDir("oven-chaos-");
  readonly #ids = new Map<number, number>();
  readonly #problems: string[] = [];
  readonly #finished = new AbortController();
  #kills = 0;
  #restarts = 0;
  #deaths = 0;
  #next = 0;
  #effectsOfLife = 0;
  #decisionsOfLife = 0;
  readonly #pool: ServerPool;
  #ledgerUrl = "";
  #workflowId = 0;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#shape = options.shape ?? EVERY_KIND;
    this.#random = seededRandom(options.seed);
    this.#pool = new ServerPool(() => this.#start(), options.servers ?? 1);
  }

  async run(): Promise<CampaignResult> {
    const ledger = await startLedger();
    try {
      this.#ledgerUrl = ledger.url;
      const first = await this.#pool.main();
      const made = await first.call("POST", "workflows", { name: "Chaos", definition: this.#shape.definition });
      if (made.status !== 201) throw new Error(`the workflow was not taken: ${JSON.stringify(made.body)}`);
      this.#workflowId = made.body.id;
      while (await this.#live(ledger)) await this.#expireLeases();
      await this.#stop();
      const problems = await this.#check(ledger);
      const keys = new Set(ledger.effects.map(({ key }) => key));
      const effects = ledger.effects.length;
      return {
        kills: this.#kills,
        effects,
        repeated: effects - keys.size,
        restarts: this.#restarts,
        deaths: this.#deaths,
        problems: [...this.#problems, ...problems],
      };
    } finally {
      await this.#pool.stop("SIGKILL");
      await ledger.close();
      rmSync(this.#dataDir, { recursive: true, force: true });
    }
  }

  /** True when the process was killed and there is more to do. */
  async #live(ledger: EffectLedger): Promise<boolean> {
    const server = await this.#pool.main();
    let victim = server;
    const life = this.#kills < this.#options.maxKills ? this.#chooseLife() : undefined;
    const killed = new AbortController();
    const kill = (pid = server.pid): void => {
      if (killed.signal.aborted) return;
      victim = this.#pool.find(pid) ?? server;
      killed.abort();
      victim.signal("SIGKILL");
    };
    this.#effectsOfLife = 0;
    this.#decisionsOfLife = 0;
    const timer = life?.kind === "time" ? setTimeout(() => kill(), life.ms) : undefined;
    ledger.onEffect = async ({ pid }) => {
      this.#effectsOfLife += 1;
      if (life?.kind !== "effect" || this.#effectsOfLife !== life.count) return;
      if (life.when === "before") kill(pid);
      else setTimeout(() => kill(pid), life.delayMs);
    };
    const nemesis = this.#restartDatabase(killed.signal);
    void server.exited.then(() => killed.abort());
    const isDone = await this.#work(server, killed.signal, () => {
      this.#decisionsOfLife += 1;
      if (life?.kind === "decision" && this.#decisionsOfLife === life.count) kill();
    });
    clearTimeout(timer);
    if (isDone && !killed.signal.aborted) {
      this.#finished.abort();
      await nemesis;
      return false;
    }
    await this.#pool.remove(victim);
    if (this.#options.restartDatabase) {
      this.#deaths += 1;
      this.#options.onProgress?.(`the process ended with the database: ${server.errors().slice(-500)}`);
      await nemesis;
      return true;
    }
    this.#kills += 1;
    this.#options.onProgress?.(`kill ${this.#kills} (${JSON.stringify(life)}), ${this.#next} runs accepted`);
    return true;
  }

  async #restartDatabase(killed: AbortSignal): Promise<void> {
    const { restartDatabase, onProgress } = this.#options;
    if (!restartDatabase) return;
    const stop = AbortSignal.any([killed, this.#finished.signal]);
    while (!stop.aborted) {
      await pause(2_000 + this.#random() * 3_000, undefined, { signal: stop }).catch((cause: unknown) => {
        if (!stop.aborted) throw cause;
      });
      if (stop.aborted) return;
      await restartDatabase();
      this.#restarts += 1;
      onProgress?.(`restart ${this.#restarts} of the database, ${this.#next} runs accepted`);
    }
  }

  #chooseLife(): Life {
    const random = this.#random;
    const pick = random();
    const count = 2 + Math.floor(random() * 24);
    if (pick < 0.35) return { kind: "effect", count, when: "before", delayMs: 0 };
    if (pick < 0.7) return { kind: "effect", count, when: "after", delayMs: Math.floor(random() * 12) };
    if (pick < 0.85) return { kind: "decision", count: 1 + Math.floor(random() * 3) };
    return { kind: "time", ms: Math.floor(random() * 600) };
  }

  /** Until every run has ended; false when the process died. */
  async #work(server: ChaosServer, killed: AbortSignal, onDecision: () => void): Promise<boolean> {
    const ended = new Set<number>();
    while (!killed.aborted) {
      const answered = await this.#attempt(server, killed, async (call) => {
        while (this.#next < this.#options.runs && this.#ids.size - ended.size < this.#options.concurrency)
          await this.#accept(call);
        await this.#decideAll(call, onDecision);
        await this.#lookAt(call, ended);
      });
      if (answered && ended.size === this.#options.runs) return true;
      await pause(POLL_MS);
    }
    return false;
  }

  /** A request that is cut off by the kill says nothing; any other failure is one. */
  async #attempt(
    server: ChaosServer,
    killed: AbortSignal,
    work: (call: ChaosServer["call"]) => Promise<void>,
  ): Promise<boolean> {
    try {
      await work(server.call);
      return true;
    } catch (error) {
      if (killed.aborted || this.#options.restartDatabase) return false;
      throw new Error(`the server failed: ${server.errors()}`, { cause: error });
    }
  }

  async #accept(call: ChaosServer["call"]): Promise<void> {
    const index = this.#next;
    const answer = await call(
      "POST",
      `workflows/${this.#workflowId}/execute`,
      { input: { index } },
      { "idempotency-key": `run-${index}` },
    );
    if (answer.status !== 202) throw new Error(`execute answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.#ids.set(index, answer.body.id);
    this.#next += 1;
  }

  async #decideAll(call: ChaosServer["call"], onDecision: () => void): Promise<void> {
    const { status, body: open } = await call("GET", 'reviews?filter={"status":"open"}&range=[0,99]');
    if (status !== 200) throw new Error(`the list of reviews was answered ${status}`);
    for (const review of open as { id: number; digest: string; actions: string[] }[]) {
      const lost = review.actions.includes("rerun");
      const rerun = lost && this.#random() < 0.6;
      const decision = lost
        ? rerun
          ? { action: "rerun" }
          : { action: "supply", data: { value: "by hand" } }
        : { action: "approve" };
      const decided = call("POST", `reviews/${review.id}/decide`, { ...decision, digest: review.digest });
      onDecision();
      this.#noteDecision(await decided);
    }
  }

  #noteDecision({ status, body }: Answer): void {
    // An earlier attempt may have been accepted just before its answer was cut off.
    if (status >= 500 && this.#options.restartDatabase) return;
    if (status !== 200 && body?.error?.code !== "REVIEW_DECIDED")
      this.#problems.push(`a decision was answered ${status}: ${JSON.stringify(body)}`);
  }

  async #lookAt(call: ChaosServer["call"], ended: Set<number>): Promise<void> {
    const ids = [...this.#ids.values()].filter((id) => !ended.has(id));
    if (ids.length === 0) return;
    const { status, body } = await call(
      "GET",
      `workflow-executions?filter={"id":[${ids}]}&range=[0,${ids.length - 1}]`,
    );
    if (status !== 200) throw new Error(`the list of runs was answered ${status}`);
    if (body.length !== ids.length)
      this.#problems.push(`${ids.length} runs were accepted, and ${body.length} are there`);
    for (const run of body) if (["completed", "failed", "cancelled"].includes(run.status)) ended.add(run.id);
  }

  #start(): Promise<ChaosServer> {
    const { databaseUrl } = this.#options;
    return startChaosServer({
      CHAOS_LEDGER_URL: this.#ledgerUrl,
      OVEN_DATA_DIR: this.#dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    });
  }

  async #stop(): Promise<void> {
    for (const { code, errors } of await this.#pool.stop("SIGTERM"))
      if (code !== 0) this.#problems.push(`a process ended with ${code} on SIGTERM: ${errors}`);
  }

  /** On PostgreSQL a dead worker's leases run out after 15 s; here at once, unless other processes have leases, too. The embedded database voids them at its start. */
  async #expireLeases(): Promise<void> {
    const { databaseUrl, servers = 1 } = this.#options;
    if (databaseUrl === undefined || servers > 1) return;
    const db = await connectDatabase({ url: databaseUrl, dataDir: this.#dataDir });
    await db.query("update workflow_executions set lease_until = now() where lease_until > now()");
    await db.close();
  }

  async #check(ledger: EffectLedger): Promise<string[]> {
    const db = await connectDatabase({ url: this.#options.databaseUrl, dataDir: this.#dataDir });
    try {
      return await checkCampaign(
        this.#shape,
        db,
        [...this.#ids.values()],
        ledger.effects,
        this.#kills + this.#restarts + this.#deaths,
      );
    } finally {
      await db.close();
    }
  }
}
