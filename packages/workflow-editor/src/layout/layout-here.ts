import type { ELK } from "elkjs/lib/elk-api.js";
import type { GraphModel } from "../graph/graph-model.ts";
import { type Layout, layoutWith } from "./elk-layout.ts";

/** What both files of the library are for Node and for bundlers; its types say something else for each of the two. */
interface Library {
  api: { default: new (options: { workerFactory: () => unknown }) => ELK };
  /** Where there are no workers, a class that does the same in the thread that calls it. */
  worker: { Worker: new () => unknown };
}

let started: Promise<ELK> | undefined;

/** As `layoutWith`, in this thread: for programs without a page, which wait for it anyway. */
export async function layoutHere(model: GraphModel): Promise<Layout> {
  started ??= startElk();
  const elk = await started;
  return layoutWith((graph) => elk.layout(graph), model);
}

async function startElk(): Promise<ELK> {
  const [api, worker] = await Promise.all([
    import("elkjs/lib/elk-api.js") as unknown as Promise<Library["api"]>, // cast: as `Library` says
    // @ts-expect-error: there are no types for it
    import("elkjs/lib/elk-worker.min.js") as Promise<Library["worker"]>, // cast: as above
  ]);
  const { default: Elk } = api;
  const { Worker } = worker;
  return new Elk({ workerFactory: () => new Worker() });
}
