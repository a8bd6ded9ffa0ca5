import type { Readable } from "node:stream";

/** Where scheduled backups lie. */
export interface BackupStore {
  /** For the log: without credentials. */
  readonly name: string;
  /** Names of all files there. */
  list(): Promise<string[]>;
  /** Stores all of the stream under the name, or nothing. */
  write(name: string, stream: Readable): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * Removes what writes of backups left whose process was killed: the instant that they were made of is over, so none goes on. Only while no
   * other process writes.
   * @returns the names of those backups
   */
  clear(): Promise<string[]>;
}

const NAME = /^oven-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** `oven-20261128T104500Z.backup`. */
export function toBackupName(at: Date): string {
  return `oven-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.backup`;
}

/** When the backup of this name was made; undefined for other files, which are left alone. */
function instantOf(name: string): Date | undefined {
  const [, ...parts] = NAME.exec(name) ?? [];
  if (parts.length === 0) return undefined;
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  const at = new Date(Date.UTC(year, month - 1, ...(rest as [number, number, number, number]))); // cast: as many as the pattern has
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Whether a schedule made a file of this name. */
export function isBackupName(name: string): boolean {
  return instantOf(name) !== undefined;
}

/** The backups in a store, with their instants. */
export async function backupsIn(store: BackupStore): Promise<{ name: string; at: Date }[]> {
  return (await store.list()).flatMap((name) => {
    const at = instantOf(name);
    return at === undefined ? [] : [{ name, at }];
  });
}

/** When the newest one was made; undefined when there is none. */
export async function newestBackup(store: BackupStore): Promise<Date | undefined> {
  const newest = Math.max(...(await backupsIn(store)).map(({ at }) => at.getTime()));
  return newest === Number.NEGATIVE_INFINITY ? undefined : new Date(newest);
}
