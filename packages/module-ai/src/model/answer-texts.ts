import { ReasoningSplitter } from "../messages/reasoning-in-text.ts";
import type { TextSink } from "./model-request.ts";

/** Hands the text of a streamed answer on as it arrives, without the reasoning that its server sends in it. */
export class AnswerTexts {
  readonly #sink: TextSink;
  readonly #parts = new Map<string, { splitter: ReasoningSplitter; partId: string; discarded: number }>();

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  push(id: string, text: string): void {
    this.#hand(id, text, false);
  }

  /** Hands on what was held back. */
  end(): void {
    for (const id of this.#parts.keys()) this.#hand(id, "", true);
  }

  #hand(id: string, text: string, isOver: boolean): void {
    const part = this.#parts.get(id) ?? { splitter: new ReasoningSplitter(), partId: id, discarded: 0 };
    this.#parts.set(id, part);
    for (const piece of part.splitter.push(text, isOver)) {
      if (piece.type === "text") this.#sink.onText(part.partId, piece.text);
      if (piece.type !== "void") continue;
      this.#sink.onDiscarded?.([part.partId]);
      part.discarded++;
      part.partId = `${id}~${part.discarded}`;
    }
  }
}
