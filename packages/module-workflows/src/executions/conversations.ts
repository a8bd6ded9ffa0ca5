import type { Database } from "@oven/db";
import { allRuns, type RunKinds } from "../runtime/run-kinds.ts";

/**
 * Names the conversation that a run was started for, such as `chat:7`; undefined: it is none of mine.
 * @param triggerEvent what started it; only modules can say that it was they
 */
export type FindConversation = (executionId: number, triggerEvent: string | null) => Promise<string | undefined>;

/** Which runs are turns of one conversation. */
export class Conversations {
  readonly #db: Database;
  readonly #kinds: RunKinds;
  readonly #finders: FindConversation[] = [];

  /** @param db of all tenants */
  constructor(db: Database, kinds: RunKinds) {
    this.#db = db;
    this.#kinds = kinds;
  }

  /** For modules with conversations of their own. */
  add(find: FindConversation): void {
    this.#finders.push(find);
  }

  /** @param executionId a run at the top of its family */
  async of(executionId: number): Promise<string | undefined> {
    const all = this.#kinds.all();
    const [row] = await this.#db.query<{ session_id: number | null; trigger_event: string | null }>(
      `select session_id, trigger_event from (${allRuns(all, "id, session_id, trigger_event")}) r where id = $1`,
      [executionId],
      `run-session-${all.length}`,
    );
    if (row?.session_id != null) return `agent-session:${row.session_id}`;
    for (const find of this.#finders) {
      const found = await find(executionId, row?.trigger_event ?? null);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
