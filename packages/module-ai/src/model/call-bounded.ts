import type { ResolvedModel } from "@oven/contract/ai";
import { startDeadline } from "@oven/module-registry";
import type { CallProgress } from "./call-model.ts";
import { toModelError } from "./model-errors.ts";

interface Bounds {
  resolved: ResolvedModel;
  keyHint: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  progress: CallProgress;
}

/** A call that answers as a whole, within its time. @throws OvenError of the family of model errors */
export async function callBounded<T>(call: (signal: AbortSignal) => Promise<T>, bounds: Bounds): Promise<T> {
  const { resolved, keyHint, timeoutMs, signal, progress } = bounds;
  const deadline = startDeadline(timeoutMs);
  const either = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  try {
    either.throwIfAborted();
    progress.sent = true;
    return await call(either);
  } catch (error) {
    const aborted = signal?.aborted === true;
    throw toModelError(aborted ? (signal?.reason ?? error) : error, {
      model: resolved,
      streaming: false,
      aborted,
      timedOutAfterMs: deadline.signal.aborted ? timeoutMs : null,
      silentForMs: null,
      keyHint,
    });
  } finally {
    deadline.clear();
  }
}
