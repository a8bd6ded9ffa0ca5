import type { DecideEmbedQuestion, EmbedLook, EmbedMessage, EmbedSession, EmbedVisitor } from "@oven/contract/embed";
import { createParser } from "eventsource-parser";
import { EmbedError, type EmbedSource, type Following } from "./embed-source.ts";

/** Before a token expires, so that no request comes too late with it. */
const RENEW_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface EmbedAddress {
  /** Origin of the OVEN server. */
  server: string;
  /** Public id of the embed. */
  embed: string;
}

/**
 * Talks to the server as a visitor: who that is stands in the storage of the page that shows the embed, and no cookie is sent or taken. The
 * token is in memory only.
 */
export class EmbedConnection implements EmbedSource {
  readonly #address: EmbedAddress;
  readonly #base: string;
  #session: Promise<EmbedSession> | undefined;
  #remembered: EmbedVisitor | undefined;

  constructor(address: EmbedAddress) {
    this.#address = address;
    this.#base = `${address.server.replace(/\/$/, "")}/api/embed/${encodeURIComponent(address.embed)}`;
  }

  look(): Promise<EmbedLook> {
    return this.#json<EmbedLook>(this.#base);
  }

  async messages(): Promise<EmbedMessage[]> {
    // Who has never said anything has no session yet, and needs none to look around.
    return this.#visitor() === undefined ? [] : this.#withToken<EmbedMessage[]>("messages");
  }

  say(said: { message: string } | { values: object }): Promise<EmbedMessage> {
    return this.#withToken<EmbedMessage>("messages", { key: newKey(), ...said });
  }

  decide(id: number, decision: DecideEmbedQuestion): Promise<EmbedMessage> {
    return this.#withToken<EmbedMessage>(`messages/${id}/decisions`, decision);
  }

  async restart(): Promise<void> {
    if (this.#visitor() !== undefined) await this.#withToken("conversations", {});
  }

  async follow(id: number, on: Following, signal: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      try {
        if (await this.#readStream(id, on, signal)) return;
      } catch (error) {
        if (signal.aborted) return;
        // A connection that is lost comes back; what the server refuses, it refuses again.
        if (error instanceof EmbedError && error.status > 0 && error.status < 500 && error.status !== 409) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** @returns whether the message has its answer */
  async #readStream(id: number, on: Following, signal: AbortSignal): Promise<boolean> {
    const response = await this.#send(`messages/${id}/stream`, { signal });
    let text = "";
    let isDone = false;
    let isClosed = false;
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === "text") {
          const piece = JSON.parse(data) as { from: number; text: string }; // cast: the shape of the event
          text = text.slice(0, piece.from) + piece.text;
          on.text(text);
        } else if (event === "message") {
          const message = JSON.parse(data) as EmbedMessage; // cast: the shape of the event
          isDone = message.status === "completed" || message.status === "failed";
          on.message(message);
        } else if (event === "closed") isClosed = true;
      },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      parser.feed(value);
    }
    if (isClosed) throw new EmbedError("EMBED_CLOSED", 403, "This is closed at the moment");
    return isDone;
  }

  async #withToken<T>(path: string, body?: object): Promise<T> {
    const response = await this.#send(path, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
    return (response.status === 204 ? undefined : await response.json()) as T; // cast: the shape of the route
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    for (let isRetry = false; ; isRetry = true) {
      const { token } = await this.#token();
      const headers = {
        authorization: `Bearer ${token}`,
        ...(init.body == null ? {} : { "content-type": "application/json" }),
      };
      try {
        return await this.#fetch(`${this.#base}/${path}`, { ...init, headers });
      } catch (error) {
        if (isRetry || !(error instanceof EmbedError) || error.status !== 401) throw error;
        this.#session = undefined;
      }
    }
  }

  async #token(): Promise<EmbedSession> {
    const now = await this.#session;
    if (now !== undefined && Date.parse(now.expiresAt) - Date.now() > RENEW_MS) return now;
    this.#session = this.#begin();
    this.#session.catch(() => {
      this.#session = undefined;
    });
    return this.#session;
  }

  async #begin(): Promise<EmbedSession> {
    const visitor = this.#visitor();
    const session = await this.#json<EmbedSession>(`${this.#base}/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(visitor === undefined ? {} : { visitor }),
    });
    const { id, secret } = session.visitor;
    if (secret !== null) this.#remember({ id, secret });
    return session;
  }

  async #json<T>(url: string, init: RequestInit = {}): Promise<T> {
    return (await (await this.#fetch(url, init)).json()) as T; // cast: the shape of the route
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      const { server, embed } = this.#address;
      // A browser does not say whether CORS or the network was the reason.
      throw new EmbedError(
        "UNREACHABLE",
        0,
        `OVEN embed ${embed}: ${server} gave no answer that this page may read. Either it cannot be reached (see connect-src of the page's Content-Security-Policy), or the origin ${location.origin} is not among the allowed origins of the embed.`,
      );
    }
    if (response.ok) return response;
    const { error } = (await response.json().catch(() => ({}))) as ErrorAnswer; // cast: the shape of errors
    throw new EmbedError(
      error?.code ?? "INTERNAL",
      response.status,
      error?.message ?? `HTTP ${response.status}`,
      error?.details?.problems,
    );
  }

  #visitor(): EmbedVisitor | undefined {
    try {
      const text = localStorage.getItem(this.#storageKey);
      return text === null ? this.#remembered : (JSON.parse(text) as EmbedVisitor); // cast: written below
    } catch {
      // A page without storage: the visitor lasts as long as the page.
      return this.#remembered;
    }
  }

  #remember(visitor: EmbedVisitor): void {
    this.#remembered = visitor;
    try {
      localStorage.setItem(this.#storageKey, JSON.stringify(visitor));
    } catch {
      // As above.
    }
  }

  get #storageKey(): string {
    return `oven-embed:${this.#address.embed}`;
  }
}

/** A UUID (version 4); `crypto.randomUUID` is for pages over HTTPS only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

interface ErrorAnswer {
  error?: { code: string; message: string; details?: { problems?: { path: string; message: string }[] } };
}
