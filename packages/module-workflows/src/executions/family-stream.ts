import { OvenError } from "@oven/contract";
import { type ExecutionStatus, isTerminal, type RunEvent } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { allRuns, type RunKind } from "../runtime/run-kinds.ts";
import { readEvents } from "./event-stream.ts";

/*
 * The logs of a run and of its children as one. All that a child has to say stands between its parent's `child.started` and
 * `child.completed`, so a cursor names only the runs that are under way: `1842:17.1850:3`, the run asked for first.
 */

type Positions = Map<number, number>;

/** @throws OvenError INVALID_REQUEST */
export function parseCursor(root: number, cursor: string | null): Positions {
  const positions: Positions = new Map([[root, 0]]);
  if (cursor === null || cursor === "") return positions;
  for (const [index, part] of cursor.split(".").entries()) {
    const [, id, seq] = /^(\d{1,15}):(\d{1,10})$/.exec(part) ?? [];
    if (id === undefined || (index === 0 && Number(id) !== root)) {
      throw new OvenError("INVALID_REQUEST", "Last-Event-ID must be the id of an event of this stream", {
        path: "$headers.last-event-id",
      });
    }
    positions.set(Number(id), Number(seq));
  }
  return positions;
}

export interface FamilyEvent {
  /** Where to go on after it. */
  cursor: string;
  event: RunEvent;
}

/** Reads on in the logs of a family, and keeps its place. */
export class FamilyReader {
  readonly #db: Database;
  readonly #kinds: readonly RunKind[];
  readonly #root: number;
  readonly #positions: Positions;
  /** The root's `end`, held back while children are still coming to theirs. */
  #end: RunEvent | undefined;

  constructor(db: Database, kinds: readonly RunKind[], root: number, positions: Positions) {
    this.#db = db;
    this.#kinds = kinds;
    this.#root = root;
    this.#positions = positions;
  }

  /** The runs under way. */
  get runs(): number[] {
    return [...this.#positions.keys()];
  }

  /** Where it is now. */
  get cursor(): string {
    return [...this.#positions].map(([id, seq]) => `${id}:${seq}`).join(".");
  }

  /** What has come since, causes before what they cause. `ended`: nothing will follow. */
  async next(): Promise<{ events: FamilyEvent[]; ended: boolean }> {
    await this.#leaveEnded();
    const events: FamilyEvent[] = [];
    // A child that appears while its parent is read is read in the same round.
    for (const id of this.#positions.keys()) await this.#read(id, events);
    if (this.#end === undefined || this.#positions.size > 1) return { events, ended: false };
    this.#note(this.#end, events);
    return { events, ended: true };
  }

  async #read(id: number, events: FamilyEvent[]): Promise<void> {
    const position = this.#positions.get(id);
    if (position === undefined) return;
    for (const event of await readEvents(this.#db, id, position)) {
      if (event.event === "end" && id === this.#root) {
        this.#end = event;
        return;
      }
      const child = typeof event.childId === "number" ? event.childId : undefined;
      // The child's last events are sent before the parent's next ones.
      if (event.event === "child.completed" && child !== undefined) await this.#finish(child, events);
      if (event.event === "child.started" && child !== undefined) this.#positions.set(child, 0);
      if (event.event === "end") this.#positions.delete(id);
      else this.#note(event, events);
    }
  }

  #note(event: RunEvent, events: FamilyEvent[]): void {
    this.#positions.set(event.executionId, event.seq);
    events.push({ cursor: this.cursor, event });
  }

  /** The remaining events of a child that has ended. */
  async #finish(id: number, events: FamilyEvent[]): Promise<void> {
    for (let before = -1; this.#positions.has(id) && before !== events.length; ) {
      before = events.length;
      await this.#read(id, events);
    }
    this.#positions.delete(id);
  }

  /** A child that was given up has no `child.completed`: it leaves once it has ended and was read. A cursor comes from outside: what is of another family leaves, too. */
  async #leaveEnded(): Promise<void> {
    if (this.#positions.size === 1) return;
    const columns = "id, status, seq, coalesce(root_id, id) as root";
    const rows = await this.#db.query<{ id: number; status: ExecutionStatus; seq: number; root: number }>(
      `select * from (${allRuns(this.#kinds, columns)}) r where id = any($1::bigint[])`,
      [this.runs],
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    const family = known.get(this.#root)?.root;
    for (const [id, seq] of this.#positions) {
      const row = known.get(id);
      const stays = row !== undefined && row.root === family && !(isTerminal(row.status) && seq >= row.seq);
      if (id !== this.#root && !stays) this.#positions.delete(id);
    }
  }
}
