import type { Heartbeat } from "../store.ts";
import type { RunEngineOptions } from "./run-engine.ts";

type Options = Pick<RunEngineOptions, "clock" | "store" | "leaseMs" | "onError">;

/** Keeps the lease of a run, and hears of its signals; the answer stops it. */
export function startHeartbeat(
  { clock, store, leaseMs, onError }: Options,
  { id, epoch }: { id: number; epoch: number },
  onBeat: (heard: Heartbeat) => void,
): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.setTimer(clock.now() + leaseMs / 3, () => void beat());
  };
  const beat = async (): Promise<void> => {
    const heard = await store.heartbeat(id, epoch, leaseMs).catch((cause: unknown): Heartbeat => {
      onError?.(cause, id);
      return { held: true, signals: false, stops: false };
    });
    if (isStopped) return;
    onBeat(heard);
    if (heard.held) arm();
  };
  arm();
  return () => {
    isStopped = true;
    cancel();
  };
}
