import { randomUUID } from "node:crypto";
import type { Principal } from "@oven/contract";

export const SESSION_HEADER = "mcp-session-id";
/** Begins the names that clients get which need no session: nothing is stored for them, and each process serves them. */
const NAME_PREFIX = "call-";

/** Begins those of clients that show views, which they say once, when they begin. */
const VIEWER_PREFIX = `${NAME_PREFIX}views-`;

/** A name for a client that has no session, so that its calls are not those of another client with the same key. */
export function newClientName({ showsViews = false } = {}): string {
  return `${showsViews ? VIEWER_PREFIX : NAME_PREFIX}${randomUUID()}`;
}

/** Whether the client got a name that says that it shows views. It gives no right. */
export function isNameOfViewer({ headers }: Pick<Request, "headers">): boolean {
  return headers.get(SESSION_HEADER)?.startsWith(VIEWER_PREFIX) === true;
}

/** The session of a request; undefined for the name of a client that has none. */
export function sessionOf({ headers }: Pick<Request, "headers">): string | undefined {
  const id = headers.get(SESSION_HEADER);
  return id === null || id.startsWith(NAME_PREFIX) ? undefined : id;
}

export interface CallOfClient {
  principal: Principal;
  request: Pick<Request, "headers" | "url">;
  requestId: string | number;
}

/**
 * Calls of older clients without a session that are being answered in this process: such a client cancels one with a request of its own
 * (`notifications/cancelled`). Client names are random, and a call is its owner's alone.
 */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>();

  /** @returns a signal that fires when the client cancels the call; undefined: the client has no name */
  begin(call: CallOfClient): { signal: AbortSignal; end(): void } | undefined {
    const key = keyOf(call);
    if (key === undefined) return undefined;
    const controller = new AbortController();
    this.#open.set(key, controller);
    return { signal: controller.signal, end: () => void this.#open.delete(key) };
  }

  /** Does nothing where the call is not open here: it may have ended a moment ago. */
  cancel(call: CallOfClient): void {
    const key = keyOf(call);
    if (key !== undefined) this.#open.get(key)?.abort();
  }

  get size(): number {
    return this.#open.size;
  }
}

function keyOf({ principal, request, requestId }: CallOfClient): string | undefined {
  const name = request.headers.get(SESSION_HEADER);
  if (name === null || !name.startsWith(NAME_PREFIX)) return undefined;
  return JSON.stringify([ownerOf(principal), new URL(request.url).pathname, name, requestId]);
}

/** Whose a session or a call is. */
export function ownerOf({ kind, tenantId, userId, keyId }: Principal): string {
  return JSON.stringify([kind, tenantId, userId, keyId ?? null]);
}
