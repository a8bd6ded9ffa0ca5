import type { ServerSession } from "../client/server-session.ts";
import { SessionEnded } from "../client/session-error.ts";

/** A session as one call of its owner has it: `close` gives it back. */
export interface LeasedSession extends ServerSession {
  /** Whether it was opened for this call. */
  readonly isNew: boolean;
  /** Ends it, also for the owner's later calls: those get a new one. */
  discard(): Promise<void>;
}

interface Options {
  connectionId: number;
  idleMs: number;
  open(ended: () => void): Promise<ServerSession>;
  /** Called once. */
  onEnd(): void;
}

/**
 * One session of a run or a conversation. Its calls are made one after the other: a question in the middle of a call must be that
 * call's, and what a server keeps in a session is rarely made for two calls at once.
 */
export class OpenSession {
  readonly connectionId: number;
  readonly #idleMs: number;
  readonly #session: Promise<ServerSession>;
  readonly #ended = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #users = 0;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor({ connectionId, idleMs, open, onEnd }: Options) {
    this.connectionId = connectionId;
    this.#idleMs = idleMs;
    this.ended.addEventListener("abort", onEnd, { once: true });
    this.#session = open(() => this.#ended.abort());
    this.#session.catch(() => this.#ended.abort());
  }

  /** Fires when it has ended, for any reason. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  async lease(signal: AbortSignal): Promise<LeasedSession> {
    this.#users++;
    clearTimeout(this.#idle);
    const isNew = this.#uses++ === 0;
    let given = true;
    const giveBack = () => {
      if (given && --this.#users === 0 && !this.ended.aborted)
        this.#idle = setTimeout(() => void this.end(), this.#idleMs).unref();
      given = false;
    };
    let session: ServerSession;
    try {
      session = await orAbort(this.#session, signal);
    } catch (error) {
      giveBack();
      throw error;
    }
    return {
      ...session,
      isNew,
      listTools: () => this.#inTurn(signal, () => session.listTools()),
      callTool: (request) => this.#inTurn(signal, () => session.callTool(request)),
      readResource: (uri) => this.#inTurn(signal, () => session.readResource(uri)),
      close: async () => giveBack(),
      discard: async () => {
        giveBack();
        await this.end();
      },
    };
  }

  /** Ends the session at the server too. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#ended.abort();
    let session: ServerSession;
    try {
      session = await this.#session;
    } catch (error) {
      // It was never open, as those who wanted it know.
      if (!(error instanceof Error)) throw error;
      return;
    }
    await session.close();
  }

  #inTurn<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      if (this.ended.aborted) throw new SessionEnded();
      return ask();
    });
    this.#last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }
}

/** A call that waits for a session to open may be cancelled; the session is opened for others too. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
