import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "../../../packages/db/src/index.ts";
import { createTestDataDir, createTestPostgres } from "../../../packages/db/src/testing.ts";
import { type ChaosServer, startChaosServer } from "./chaos-server.ts";
import { seededRandom } from "./random.ts";
import { runCommand } from "./run-and-kill.ts";

export interface RestoreCampaignOptions {
  count: number;
  seed: number;
  /** A server on which databases may be made. */
  postgresUrl: string;
  /** Where the installation is from which backups are taken; restores go to both kinds in turn. */
  source: "pglite" | "postgres";
  onProgress?: (text: string) => void;
}

export interface RestoreCampaignResult {
  restores: number;
  /** Kills of the server during a backup, of `oven backup`, and of `oven restore`. */
  kills: { server: number; backup: number; restore: number };
  /** Runs that were accepted before a backup began, counted for each restore. */
  acknowledged: number;
  /** Servers that were started on what was restored, and runs that went on there to their end. */
  servers: number;
  ended: number;
  problems: string[];
}

const SECRET = "a-secret-of-the-chaos-harness-0123456789";
/** Of each round: accepted before the backup, and while it is taken. */
const RUNS_BEFORE = 6;
const RUNS_MEANWHILE = 6;
const MOST_KILLS = 3;
/** A server starts on every so many of what was restored. */
const SERVER_EVERY = 5;
const DEFINITION = {
  initial: "ask",
  timeoutMs: 3_600_000,
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "$.trigger" }, onDone: "wait" } },
    wait: { invoke: { src: "core.delay", input: { ms: 50 }, onDone: "done" } },
    done: { type: "final" },
  },
};
const WAITS = {
  initial: "wait",
  states: { wait: { invoke: { src: "core.delay", input: { ms: 5_000 }, onDone: "done" } }, done: { type: "final" } },
};

/**
 * Takes backups of an installation while runs start, waits and end in it, and restores them; the server, `oven backup` and `oven restore`
 * are killed with SIGKILL at moments that the seed chooses. A run that was accepted before a backup began must be in what was restored,
 * and go on there.
 */
export class RestoreCampaign {
  readonly #options: RestoreCampaignOptions;
  readonly #random: () => number;
  readonly #folder = mkdtempSync(join(tmpdir(), "oven-restores-"));
  readonly #accepted: number[] = [];
  readonly #kills = { server: 0, backup: 0, restore: 0 };
  readonly #problems: string[] = [];
  #source: Record<string, string> = {};
  #server: ChaosServer | undefined;
  #workflows: number[] = [];
  #acknowledged = 0;
  #servers = 0;
  #ended = 0;
  /** How long a command works when it is not killed: kills are drawn from that. */
  #backupMs = 1_500;
  #restoreMs = 3_000;

  constructor(options: RestoreCampaignOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  async run(): Promise<RestoreCampaignResult> {
    const { count, source, postgresUrl, onProgress } = this.#options;
    const dataDir = createTestDataDir("oven-restores-source-");
    const database = source === "postgres" ? await createTestPostgres(postgresUrl) : undefined;
    this.#source = { OVEN_DATA_DIR: dataDir, ...(database === undefined ? {} : { DATABASE_URL: database.url }) };
    try {
      await this.#begin();
      for (let round = 0; round < count; round++) {
        await this.#round(round);
        onProgress?.(`${round + 1} restores, kills ${JSON.stringify(this.#kills)}, ${this.#problems.length} problems`);
      }
    } finally {
      this.#server?.signal("SIGKILL");
      await this.#server?.exited;
      await database?.drop();
      for (const path of [dataDir, this.#folder]) rmSync(path, { recursive: true, force: true });
    }
    return {
      restores: count,
      kills: this.#kills,
      acknowledged: this.#acknowledged,
      servers: this.#servers,
      ended: this.#ended,
      problems: this.#problems,
    };
  }

  async #begin(): Promise<void> {
    this.#server = await this.#start(this.#source);
    for (const [name, definition] of Object.entries({ Asks: DEFINITION, Waits: WAITS })) {
      const made = await this.#server.call("POST", "workflows", { name, definition });
      if (made.status !== 201) throw new Error(`the workflow was not taken: ${JSON.stringify(made.body)}`);
      this.#workflows.push(made.body.id);
    }
  }

  async #round(round: number): Promise<void> {
    this.#server ??= await this.#start(this.#source);
    for (let at = 0; at < RUNS_BEFORE; at++) await this.#accept();
    const before = [...this.#accepted];
    const file = join(this.#folder, `${round}.backup`);
    await this.#backup(file);
    await this.#restore(file, before, round);
    rmSync(file);
  }

  /** Until there is a file: a backup that was killed, or whose server was, must leave none under its name. */
  async #backup(file: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const server = this.#server ?? (await this.#start(this.#source));
      this.#server = server;
      const kill = attempt >= MOST_KILLS ? "none" : this.#draw(["none", "server", "backup"] as const);
      const after = this.#random() * this.#backupMs;
      const url = this.#source.DATABASE_URL === undefined ? server.url : "";
      const command = runCommand(
        ["backup", file, url],
        this.#environment(this.#source),
        kill === "backup" ? after : undefined,
      );
      const accepting = this.#acceptMeanwhile();
      if (kill === "server") {
        await pause(after);
        server.signal("SIGKILL");
        await server.exited;
        this.#server = undefined;
        this.#kills.server += 1;
      }
      const { code, ms, errors } = await command;
      await accepting;
      if (code === null) this.#kills.backup += 1;
      if (existsSync(file)) {
        if (code === 0 && kill === "none") this.#backupMs = ms;
        return;
      }
      if (code === 0) this.#problems.push("a backup ended without its file");
      else if (kill === "none") throw new Error(`a backup failed although nothing was killed: ${errors}`);
    }
  }

  async #restore(file: string, before: readonly number[], round: number): Promise<void> {
    const toPostgres = round % 2 === 1;
    const database = toPostgres ? await createTestPostgres(this.#options.postgresUrl, { migrated: false }) : undefined;
    const dataDir = join(this.#folder, `restored-${round}`);
    const target = { OVEN_DATA_DIR: dataDir, ...(database === undefined ? {} : { DATABASE_URL: database.url }) };
    try {
      for (let attempt = 0; ; attempt++) {
        const after = attempt < MOST_KILLS && this.#random() < 0.75 ? this.#random() * this.#restoreMs : undefined;
        const { code, ms, errors } = await runCommand(["restore", file], this.#environment(target), after);
        if (code === 0) {
          if (after === undefined && attempt === 0) this.#restoreMs = ms;
          break;
        }
        if (code !== null) throw new Error(`a restore failed: ${errors}`);
        this.#kills.restore += 1;
        // A kill after its end leaves all of it, which a further call refuses to write over.
        if (await this.#isWhole(target)) break;
      }
      await this.#check(target, before);
      if (round % SERVER_EVERY === 0 || round === this.#options.count - 1) await this.#goOn(target, before);
    } finally {
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }

  async #isWhole(target: Record<string, string>): Promise<boolean> {
    if (target.DATABASE_URL === undefined) return existsSync(join(target.OVEN_DATA_DIR ?? "", "pglite"));
    const db = await connectDatabase({ url: target.DATABASE_URL, dataDir: "unused" });
    const [row] = await db.query<{ whole: boolean }>(
      "select to_regclass('workflow_executions') is not null and to_regclass('oven_restore') is null as whole",
    );
    await db.close();
    return row?.whole === true;
  }

  /** Every run that was accepted is there with its whole log. */
  async #check(target: Record<string, string>, before: readonly number[]): Promise<void> {
    this.#acknowledged += before.length;
    const db = await connectDatabase({ url: target.DATABASE_URL, dataDir: target.OVEN_DATA_DIR ?? "" });
    const there = await db.query<{ id: number }>("select id from workflow_executions where id = any($1::bigint[])", [
      before,
    ]);
    if (there.length !== before.length)
      this.#problems.push(`${before.length} runs were accepted before the backup, and ${there.length} were restored`);
    const gaps = await db.query(
      `select e.id from workflow_executions e left join run_events v on v.execution_id = e.id
       group by e.id, e.seq having count(v.seq) <> e.seq or max(v.seq) <> e.seq`,
    );
    if (gaps.length > 0) this.#problems.push(`${gaps.length} restored runs have gaps in their logs`);
    await db.close();
  }

  /** A server starts on it, the reviews are decided, and every run ends. */
  async #goOn(target: Record<string, string>, before: readonly number[]): Promise<void> {
    const server = await this.#start(target);
    this.#servers += 1;
    try {
      for (let open = 1; open > 0; ) {
        const { body, total = 0 } = await server.call("GET", 'reviews?filter={"status":"open"}&range=[0,99]');
        for (const { id, digest } of body) {
          const { status } = await server.call("POST", `reviews/${id}/decide`, { action: "approve", digest });
          if (status !== 200) this.#problems.push(`a restored review was decided with the answer ${status}`);
        }
        open = total;
      }
      const unfinished = async (): Promise<number> => {
        const query = `workflow-executions?filter={"status":["completed"]}&range=[0,0]`;
        const all = await server.call("GET", "workflow-executions?range=[0,0]");
        return (all.total ?? 0) - ((await server.call("GET", query)).total ?? 0);
      };
      const deadline = Date.now() + 120_000;
      while ((await unfinished()) > 0 && Date.now() < deadline) await pause(200);
      const left = await unfinished();
      if (left > 0) this.#problems.push(`${left} restored runs did not end`);
      this.#ended += before.length;
    } finally {
      server.signal("SIGKILL");
      await server.exited;
    }
  }

  async #accept(): Promise<void> {
    const server = this.#server;
    if (server === undefined) throw new Error("there is no server");
    const workflow = this.#workflows[this.#accepted.length % 2];
    const { status, body } = await server.call("POST", `workflows/${workflow}/execute`, { input: {} });
    if (status !== 202) throw new Error(`execute answered ${status}: ${JSON.stringify(body)}`);
    this.#accepted.push(body.id);
  }

  /** The server may be killed meanwhile: what it has not answered was not accepted. */
  async #acceptMeanwhile(): Promise<void> {
    try {
      for (let at = 0; at < RUNS_MEANWHILE; at++) await this.#accept();
    } catch (error) {
      // What fetch throws when the connection breaks.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  #draw<T>(kinds: readonly T[]): T {
    const drawn = kinds[Math.floor(this.#random() * kinds.length)];
    if (drawn === undefined) throw new Error("there is nothing to draw from");
    return drawn;
  }

  #start(environment: Record<string, string>): Promise<ChaosServer> {
    return startChaosServer({ CHAOS_LEDGER_URL: "http://127.0.0.1:1", ...environment });
  }

  #environment(of: Record<string, string>): Record<string, string> {
    return { ...of, OVEN_SECRET: SECRET, OVEN_DEMO: "0" };
  }
}
