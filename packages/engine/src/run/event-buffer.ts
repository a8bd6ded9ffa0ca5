import type { JsonObject } from "@oven/contract";
import type { RunEventName } from "@oven/contract/run";
import type { Clock } from "../ports.ts";
import type { RunEventDraft } from "../store.ts";

/** How long streamed text is gathered before it is persisted. */
const TEXT_BATCH_MS = 75;

/** Log entries of running nodes, gathered in order: they go with the next commit, or by themselves after a batch. */
export class EventBuffer {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #drafts: RunEventDraft[] = [];
  #cancelTimer: (() => void) | undefined;
  /** Offset of the next chunk, by call and part. */
  readonly #offsets = new Map<string, number>();

  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = flush;
  }

  add(event: RunEventName, fields: JsonObject): void {
    this.#drafts.push({ event, at: new Date(this.#clock.now()).toISOString(), fields });
    this.#arm();
  }

  /** Chunks of one part that follow each other become one entry. */
  text(
    call: { nodeId: string; visit: number; attempt: number; item: string | null },
    partId: string,
    chunk: string,
  ): void {
    const key = `${call.nodeId} ${call.visit} ${call.attempt} ${call.item ?? ""} ${partId}`;
    const offset = this.#offsets.get(key) ?? 0;
    this.#offsets.set(key, offset + chunk.length);
    const last = this.#drafts.at(-1);
    if (last?.event === "text.delta" && last.fields.key === key) {
      last.fields.text = `${String(last.fields.text)}${chunk}`;
      return;
    }
    const { nodeId, visit, attempt, item } = call;
    this.add("text.delta", {
      key,
      nodeId,
      visit,
      attempt,
      ...(item === null ? {} : { item }),
      partId,
      offset,
      text: chunk,
    });
  }

  /** What has gathered; afterwards the buffer is empty. */
  drain(): RunEventDraft[] {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const drafts = this.#drafts;
    this.#drafts = [];
    for (const draft of drafts) if (draft.event === "text.delta") delete draft.fields.key;
    return drafts;
  }

  #arm(): void {
    this.#cancelTimer ??= this.#clock.setTimer(this.#clock.now() + TEXT_BATCH_MS, () => {
      this.#cancelTimer = undefined;
      this.#flush();
    });
  }
}
