import { OvenError } from "@oven/contract";
import type { ChatMessage } from "@oven/contract/agent";
import { isTerminal, type RunEvent, type RunEventName } from "@oven/contract/run";
import type { FamilyReader, WorkflowPlatform } from "@oven/module-workflows";
import type { TurnRow } from "./turn-row.ts";

/*
 * A chat as one stream: the logs of its runs as they are, and a `turn` whenever one begins or has ended. It keeps nothing of its own: its
 * cursor says which run was the newest and how far those under way were told, `1850|1842:17|1850:3.1851:2`, so that a client may come
 * back anywhere, to another process too.
 */

/** What a chat is told of its runs; what steps are made of is for those who may see runs. */
const TOLD: ReadonlySet<RunEventName> = new Set<RunEventName>([
  "execution.started",
  "execution.paused",
  "execution.resumed",
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "text.delta",
  "text.discarded",
  "tool.started",
  "tool.completed",
  "tool.failed",
  "review.opened",
  "review.decided",
  "review.expired",
]);

/** An entry of a run's log, where a chat is told of it. */
export function isShown({ event, message }: RunEvent): boolean {
  if (TOLD.has(event)) return true;
  // What tools answered; instructions and what steps say to each other stay inside.
  return event === "message.added" && (message as { role?: unknown } | undefined)?.role === "tool"; // cast: entries of the log are JSON
}

export interface ChatReaderDeps {
  platform: Pick<WorkflowPlatform, "familyLog">;
  /** Turns whose runs are newer. */
  after(executionId: number): Promise<TurnRow[]>;
  /** Turns of these runs, as they are now. */
  of(executionIds: readonly number[]): Promise<TurnRow[]>;
  settle(row: TurnRow): Promise<TurnRow>;
  show(row: TurnRow): Promise<ChatMessage>;
}

interface Cursor {
  newest: number;
  families: ReadonlyMap<number, string>;
}

/** @throws OvenError INVALID_REQUEST */
export function parseChatCursor(text: string): Cursor {
  const [first = "", ...families] = text.split("|");
  const wellFormed =
    /^\d{1,15}$/.test(first) && families.every((one) => /^\d{1,15}:\d{1,10}(\.\d{1,15}:\d{1,10})*$/.test(one));
  if (!wellFormed || families.length > 100)
    throw new OvenError("INVALID_REQUEST", "Last-Event-ID must be the id of an event of this chat", {
      path: "$headers.last-event-id",
    });
  return {
    newest: Number(first),
    families: new Map(families.map((one) => [Number(one.slice(0, one.indexOf(":"))), one])),
  };
}

/** Reads on in a chat, and keeps its place. */
export class ChatReader {
  readonly #deps: ChatReaderDeps;
  readonly #families = new Map<number, FamilyReader>();
  #newest = 0;
  #isGreeted = false;

  private constructor(deps: ChatReaderDeps) {
    this.#deps = deps;
  }

  /** From what goes on now: what has ended before is read as messages. */
  static begin(deps: ChatReaderDeps, { open, newest }: { open: readonly TurnRow[]; newest: number }): ChatReader {
    const reader = new ChatReader(deps);
    reader.#newest = newest;
    for (const { executionId } of open) if (executionId !== null) reader.#follow(executionId, null);
    return reader;
  }

  /** After what a client has seen. A cursor comes from outside: runs of other chats are left out. */
  static async resume(deps: ChatReaderDeps, { newest, families }: Cursor): Promise<ChatReader> {
    const reader = new ChatReader(deps);
    reader.#newest = newest;
    for (const { executionId } of await deps.of([...families.keys()]))
      if (executionId !== null) reader.#follow(executionId, families.get(executionId) ?? null);
    return reader;
  }

  /** The runs under way. */
  get runs(): number[] {
    return [...this.#families.values()].flatMap((family) => family.runs);
  }

  /** What is new since the last look, as frames. */
  async next(): Promise<string> {
    const frames: string[] = [];
    if (!this.#isGreeted) frames.push(this.#frame("ready", {}));
    this.#isGreeted = true;
    for (const row of await this.#deps.after(this.#newest)) {
      if (row.executionId === null) continue;
      this.#newest = row.executionId;
      this.#follow(row.executionId, null);
      frames.push(this.#frame("turn", await this.#deps.show(row)));
    }
    // Before their logs are read: what has ended by now has told all of it.
    const rows = new Map((await this.#deps.of([...this.#families.keys()])).map((row) => [row.executionId, row]));
    for (const [root, family] of this.#families) frames.push(...(await this.#read(root, family, rows.get(root))));
    return frames.join("");
  }

  async #read(root: number, family: FamilyReader, row: TurnRow | undefined): Promise<string[]> {
    // It was tried again: another run has its place.
    if (row === undefined) {
      this.#families.delete(root);
      return [];
    }
    const { events, ended } = await family.next();
    const told = events.filter(({ event }) => isShown(event));
    const frames = told.map(({ cursor, event: { event, ...entry } }) =>
      this.#frame(event, { ...entry, root }, new Map([[root, cursor]])),
    );
    if (!ended && !(events.length === 0 && isTerminal(row.status))) return frames;
    this.#families.delete(root);
    return [...frames, this.#frame("turn", await this.#deps.show(await this.#deps.settle(row)))];
  }

  #follow(executionId: number, cursor: string | null): void {
    this.#families.set(executionId, this.#deps.platform.familyLog(executionId, cursor));
  }

  #frame(event: string, data: object, places: ReadonlyMap<number, string> = new Map()): string {
    const families = [...this.#families].map(([root, family]) => places.get(root) ?? family.cursor);
    return `id: ${[this.#newest, ...families].join("|")}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
