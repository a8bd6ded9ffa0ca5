export interface StopOptions {
  /** Milliseconds after which the process ends although `stop` has not. */
  hardExitMs: number;
  /** What a second signal does: nothing, or end the process at once. */
  secondSignal: "ignored" | "ends";
}

/**
 * Runs `stop` once and then ends the process: at SIGTERM and Ctrl-C with 0, at an error that nobody caught with 1. Ends it with 1 when
 * `stop` throws or takes too long.
 */
export function stopOnSignals(stop: () => Promise<void>, { hardExitMs, secondSignal }: StopOptions): void {
  let isStopping = false;
  const end = async (code: number) => {
    if (isStopping) {
      if (secondSignal === "ends") process.exit(code === 0 ? 130 : code);
      return;
    }
    isStopping = true;
    setTimeout(() => process.exit(1), hardExitMs).unref();
    try {
      await stop();
    } catch (error) {
      console.error("stopping failed:", error);
      process.exit(1);
    }
    process.exit(code);
  };
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));
  process.on("uncaughtException", (error) => {
    console.error("uncaught error, stopping:", error);
    void end(1);
  });
  process.on("unhandledRejection", (error) => {
    console.error("unhandled rejection, stopping:", error);
    void end(1);
  });
}
