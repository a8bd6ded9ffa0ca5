import type { JsonObject } from "@oven/contract";
import type { NodeCatalog } from "@oven/engine";
import { checkGraph, type GraphOutcome } from "./check-graph.ts";
import type { GeneratedGraph, GraphGenerator } from "./graph-generator.ts";
import { Random } from "./random.ts";

export interface GraphViolation {
  product: string;
  seed: number;
  kind: string;
  reason: string;
  /** The smallest document found that shows the same kind. */
  document: JsonObject;
}

export interface GraphReport {
  product: string;
  imported: number;
  /** Imported ones without a placeholder. */
  whole: number;
  /** By reason, with names taken out. */
  refused: Record<string, number>;
  violations: GraphViolation[];
  /** In ms, of the whole and of the slowest document. */
  took: number;
  slowest: number;
}

interface GraphCampaign {
  generator: GraphGenerator;
  catalog: NodeCatalog;
  seed: number;
  count: number;
}

/** Reads generated documents of one product; document `n` is that of the seed `seed + n` alone. */
export async function runGraphs({ generator, catalog, seed, count }: GraphCampaign): Promise<GraphReport> {
  const { product } = generator;
  const report: GraphReport = { product, imported: 0, whole: 0, refused: {}, violations: [], took: 0, slowest: 0 };
  for (let own = seed; own < seed + count; own += 1) {
    const graph = generator.generate(new Random(own));
    const startedAt = performance.now();
    const outcome = await checkGraph(generator.describe(graph), catalog);
    const took = performance.now() - startedAt;
    report.took += took;
    report.slowest = Math.max(report.slowest, took);
    if (outcome.type === "imported") {
      report.imported += 1;
      if (outcome.placeholders === 0) report.whole += 1;
    } else if (outcome.type === "refused") {
      const why = `${outcome.code} ${outcome.reason.replace(/^Line \d+, column \d+: /, "").replaceAll(/["“][^"“”]*["”]|\d+/g, "…")}`;
      report.refused[why.slice(0, 120)] = (report.refused[why.slice(0, 120)] ?? 0) + 1;
    } else {
      const { kind } = outcome;
      const isNew = report.violations.filter((known) => known.kind === kind).length < 3;
      const small = isNew ? await shrink(graph, kind, { generator, catalog }) : graph;
      const { document } = generator.describe(small);
      const shown = await checkGraph(generator.describe(small), catalog);
      report.violations.push({ product, seed: own, ...reasonOf(shown, outcome), document });
    }
  }
  return report;
}

function reasonOf(shown: GraphOutcome, first: { kind: string; reason: string }): { kind: string; reason: string } {
  const { kind, reason } = shown.type === "violation" ? shown : first;
  return { kind, reason };
}

/** Takes nodes and edges away, one at a time, as long as the fault stays the same. */
async function shrink(
  graph: GeneratedGraph,
  kind: string,
  { generator, catalog }: Pick<GraphCampaign, "generator" | "catalog">,
): Promise<GeneratedGraph> {
  const isSame = async (smaller: GeneratedGraph) => {
    const outcome = await checkGraph(generator.describe(smaller), catalog);
    return outcome.type === "violation" && outcome.kind === kind;
  };
  let best = graph;
  for (let changed = true; changed; ) {
    changed = false;
    for (const list of ["edges", "nodes"] as const)
      for (let at = best[list].length - 1; at >= 0; at -= 1) {
        const smaller = { ...best, [list]: best[list].toSpliced(at, 1) };
        if (!(await isSame(smaller))) continue;
        best = smaller;
        changed = true;
      }
  }
  return best;
}
