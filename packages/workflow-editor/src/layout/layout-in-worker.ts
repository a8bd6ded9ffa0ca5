import { t } from "@oven/i18n";
import type { ELK } from "elkjs/lib/elk-api.js";
import type { GraphModel } from "../graph/graph-model.ts";
import { type Layout, type LayoutWatch, layoutWith } from "./elk-layout.ts";

/** As `layoutWith`, in a worker. @throws the reason of the signal when it was given up */
export async function layoutGraph(model: GraphModel, watch?: LayoutWatch): Promise<Layout> {
  const { elk, broken } = await startElk();
  return layoutWith((graph) => Promise.race([elk.layout(graph), broken]), model, watch);
}

interface Engine {
  elk: ELK;
  /** Rejects when the worker cannot be loaded: the engine itself would be waited for without end. */
  broken: Promise<never>;
}

let started: Promise<Engine> | undefined;

/** The layout engine in a worker of its own, so that nothing stands still meanwhile; one serves all graphs of the page. */
function startElk(): Promise<Engine> {
  started ??= startWorker().catch((error: unknown) => {
    // The next graph tries again.
    started = undefined;
    throw error;
  });
  return started;
}

async function startWorker(): Promise<Engine> {
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  const { promise: broken, reject } = Promise.withResolvers<never>();
  // The caller of a layout gets the error. Without a layout under way the rejection must not count as unhandled.
  broken.catch(() => undefined);
  const workerFactory = (): Worker => {
    const worker = new Worker(new URL("./elk.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("error", ({ message }) => {
      started = undefined;
      reject(
        new Error(
          t("The layout could not be made: {{reason}}. Reload the page.", {
            reason: message || "its worker did not load",
          }),
        ),
      );
    });
    return worker;
  };
  return { elk: new Elk({ workerFactory }), broken };
}
