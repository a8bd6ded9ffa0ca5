import type { ServerResponse } from "node:http";
import { ClientGone } from "@oven/module-registry";

/** Requests that are being answered, and whose signal somebody has: it fires when the client goes away, and when the server stops. */
export class OpenRequests {
  readonly #ending = new Set<AbortController>();
  #isStopping = false;

  get size(): number {
    return this.#ending.size;
  }

  /** The same request, whose signal also fires when the server stops: made when it is asked for, for most do not ask. */
  watch(request: Request, response: Pick<ServerResponse, "closed" | "once">): Request {
    let ending: AbortController | undefined;
    const signal = (): AbortSignal => {
      ending ??= this.#begin(request.signal, response);
      return ending.signal;
    };
    return new Proxy(request, {
      get(target, key) {
        if (key === "signal") return signal();
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  endAll(): void {
    this.#isStopping = true;
    for (const controller of this.#ending) controller.abort();
  }

  #begin(gone: AbortSignal, response: Pick<ServerResponse, "closed" | "once">): AbortController {
    const controller = new AbortController();
    if (gone.aborted || this.#isStopping) controller.abort(gone.aborted ? new ClientGone() : undefined);
    // It would not be told of its end any more.
    if (controller.signal.aborted || response.closed) return controller;
    gone.addEventListener("abort", () => controller.abort(new ClientGone()), { once: true });
    this.#ending.add(controller);
    response.once("close", () => this.#ending.delete(controller));
    return controller;
  }
}
