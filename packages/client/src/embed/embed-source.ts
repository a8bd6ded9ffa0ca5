import type { DecideEmbedQuestion, EmbedLook, EmbedMessage } from "@oven/contract/embed";

export interface Following {
  /** The answer as it is now. */
  text(text: string): void;
  message(message: EmbedMessage): void;
}

/** Where the words of an embed come from. */
export interface EmbedSource {
  look(): Promise<EmbedLook>;
  messages(): Promise<EmbedMessage[]>;
  say(said: { message: string } | { values: object }): Promise<EmbedMessage>;
  /** Until the message has its answer. */
  follow(id: number, on: Following, signal: AbortSignal): Promise<void>;
  decide(id: number, decision: DecideEmbedQuestion): Promise<EmbedMessage>;
  /** The next message begins another conversation. */
  restart(): Promise<void>;
}

/** What the server answered, or `UNREACHABLE`. */
export class EmbedError extends Error {
  readonly code: string;
  readonly status: number;
  /** By place, such as `$.email`. */
  readonly problems: readonly { path: string; message: string }[];

  constructor(
    code: string,
    status: number,
    message: string,
    problems: readonly { path: string; message: string }[] = [],
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.problems = problems;
  }
}
