import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type BackupContent, openBackup } from "@oven/db/backup";
import type { ModuleDeps } from "@oven/module-registry";
import { secretFingerprint } from "@oven/module-registry";
import { sealSecret } from "../secret/sealed-secret.ts";
import { type BackupStore, backupsIn, newestBackup, toBackupName } from "./backup-store.ts";
import type { BackupSchedule } from "./backup-variables.ts";

/** Any constant that no other lock has (migrate.ts: …011, the start of an installation: …012, row-level security: …013). */
const LOCK_KEY = 7_358_120_014;
/** How often it is looked whether one is due: other processes make them too, and after a failure it is tried again. */
const LOOK_MS = 300_000;
const FIRST_MS = 10_000;

export interface ScheduledBackupsOptions {
  deps: Pick<ModuleDeps, "db" | "environment">;
  schedule: BackupSchedule;
  store: BackupStore;
  now?: () => Date;
}

/**
 * Makes a backup when the newest one in the store is older than the schedule says, and removes the oldest ones beyond the number that
 * stays. What is in the store is all that it knows, so any number of processes may do it; of those on one database one at a time does.
 */
export class ScheduledBackups {
  readonly #options: ScheduledBackupsOptions;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stream: Readable | undefined;
  #stopped = true;

  constructor(options: ScheduledBackupsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  start(): void {
    this.#stopped = false;
    this.#arm(FIRST_MS);
  }

  /** A backup that is under way is given up: the next process makes another. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.destroy(new Error("the server stops"));
    clearTimeout(this.#timer);
    await this.#running;
  }

  /**
   * Makes the backup that is due, if one is.
   * @returns its name, when it was made here
   * @throws what the database, the store or the passphrase's file does
   */
  async look(): Promise<string | undefined> {
    const { deps } = this.#options;
    if (!(await this.#isDue())) return undefined;
    // The embedded database has one process, and one connection, which the backup needs.
    if (deps.db.dialect === "pglite") return this.#make();
    return deps.db.system.transaction(async (lock) => {
      const [row] = await lock.query<{ locked: boolean }>("select pg_try_advisory_xact_lock($1) as locked", [LOCK_KEY]);
      // Another process makes it, or has made it since.
      return row?.locked === true && (await this.#isDue()) ? this.#make() : undefined;
    });
  }

  async #make(): Promise<string> {
    const { deps, store } = this.#options;
    await this.#clear();
    const name = toBackupName(this.#now());
    const { stream, done } = openBackup(deps.db, await this.#content());
    this.#stream = stream;
    try {
      await Promise.all([store.write(name, stream), done]);
    } catch (error) {
      stream.destroy();
      await Promise.allSettled([done]);
      throw error;
    } finally {
      this.#stream = undefined;
    }
    await this.#removeOld();
    return name;
  }

  /** What is left takes space, and nothing else: no backup waits for its removal. */
  async #clear(): Promise<void> {
    const { store } = this.#options;
    try {
      for (const name of await store.clear())
        console.warn(`backup: ${name} was stopped before its end and is removed from ${store.name}`);
    } catch (error) {
      console.warn(`backup: what stopped backups may have left in ${store.name} could not be removed:`, error);
    }
  }

  async #isDue(): Promise<boolean> {
    const { schedule, store } = this.#options;
    const newest = await newestBackup(store);
    return newest === undefined || this.#now().getTime() - newest.getTime() >= schedule.everyMs;
  }

  async #content(): Promise<BackupContent> {
    const { deps, schedule } = this.#options;
    const { secret } = deps.environment;
    const file = schedule.passphraseFile;
    const passphrase = file === undefined ? undefined : (await readFile(file, "utf8")).split(/\r?\n/)[0];
    return {
      secret: {
        fingerprint: secretFingerprint(secret),
        ...(passphrase === undefined ? {} : { sealed: await sealSecret(secret, passphrase) }),
      },
    };
  }

  async #removeOld(): Promise<void> {
    const { schedule, store } = this.#options;
    const newestFirst = (await backupsIn(store)).toSorted((one, other) => other.at.getTime() - one.at.getTime());
    for (const { name } of newestFirst.slice(schedule.count)) await store.remove(name);
  }

  #arm(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn();
    }, milliseconds);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    const { store } = this.#options;
    try {
      await this.look();
    } catch (error) {
      console.error(`backup: none could be made in ${store.name}, trying again in ${LOOK_MS / 60_000} minutes:`, error);
    }
    this.#arm(LOOK_MS);
  }
}
