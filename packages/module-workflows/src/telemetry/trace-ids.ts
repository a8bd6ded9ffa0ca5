import { createHmac } from "node:crypto";
import { type SpanContext, TraceFlags } from "@opentelemetry/api";

/**
 * Ids of a run's trace and of its own span, made of its id: every process that works on the run, today or after a restart,
 * adds to one trace. `secret` keeps installations apart that send to one place.
 */
export function toRunSpanContext(secret: string, rootId: number, executionId: number): SpanContext {
  const hash = (what: string) => createHmac("sha256", secret).update(`oven trace ${what}`).digest("hex");
  return {
    traceId: hash(`run ${rootId}`).slice(0, 32),
    spanId: hash(`span ${executionId}`).slice(0, 16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  };
}

/**
 * Makes ids at random, except for the span that a run's own ids are set aside for. The SDK asks for ids while it starts a
 * span, so one place to put them is enough.
 */
class RunSpanIds {
  #next: { traceId: string; spanId: string } | undefined;

  /** Calls `start`; the span that it starts gets these ids. */
  use<T>(ids: { traceId: string; spanId: string }, start: () => T): T {
    this.#next = ids;
    try {
      return start();
    } finally {
      this.#next = undefined;
    }
  }

  /** 32 hexadecimal digits. */
  generateTraceId(): string {
    return this.#next?.traceId ?? randomHex(16);
  }

  /** 16 hexadecimal digits. */
  generateSpanId(): string {
    return this.#next?.spanId ?? randomHex(8);
  }
}

/** The id generator that a tracer provider must use for run spans to be found by their children. */
export const runSpanIds = new RunSpanIds();

function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
