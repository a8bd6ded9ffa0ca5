import { canonical, type Json, ReceiptError, readCanonical, readText, sha256 } from "./canonical.ts";
import { DECISION_ENTRY, type LogEntry, LogEntrySchema, RUN_ENTRY } from "./receipt.ts";

/** The digest of data. The salt keeps what is gone from being guessed by its digest. */
export function digestOf(data: Json, salt: string): string {
  return sha256(`${salt}\n${canonical(data)}`);
}

/** Each link is the hash of the one before it and of an entry without its data. */
export class LogChain {
  head = sha256("oven-log/1");
  entries = 0;

  add({ run, seq, type, at, digest }: Omit<LogEntry, "data" | "salt">): void {
    this.head = sha256(`${this.head}\n${canonical({ run, seq, type, at, digest })}`);
    this.entries++;
  }
}

export type ReadLog = ReturnType<typeof readLog>;

/**
 * Reads the file of a log, and checks each line by itself.
 * @returns the end of its chain; how many entries have no data; the entry about the run; the decisions, unless one has no data
 * @throws ReceiptError naming the line
 */
export function readLog(bytes: Uint8Array) {
  const lines = readText(bytes, "the log").split("\n");
  if (lines.pop() !== "") throw new ReceiptError("the log does not end with a whole line");
  const chain = new LogChain();
  let [withoutData, first, decisions] = [0, undefined as LogEntry | undefined, [] as Json[] | undefined];
  for (const [index, line] of lines.entries()) {
    const what = `line ${index + 1} of the log`;
    const { success, data: entry } = LogEntrySchema.safeParse(readCanonical(line, what));
    if (!success) throw new ReceiptError(`${what} is not an entry of a log`);
    const { data, salt, digest } = entry;
    if ((data === undefined) !== (salt === undefined)) throw new ReceiptError(`${what} has only one of salt and data`);
    // cast: what JSON.parse has read is JSON
    if (data !== undefined && salt !== undefined && digestOf(data as Json, salt) !== digest)
      throw new ReceiptError(`${what} has other data than its digest says`);
    chain.add(entry);
    if (data === undefined) withoutData++;
    if (index === 0 && entry.type === RUN_ENTRY) first = entry;
    if (entry.type !== DECISION_ENTRY) continue;
    if (data === undefined) decisions = undefined;
    else decisions?.push(data as Json); // cast: as above
  }
  return { head: chain.head, entries: chain.entries, withoutData, first, decisions };
}
