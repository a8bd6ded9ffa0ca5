import { startPostgres } from "../postgres/start-postgres.ts";
import { measureWorkers } from "./scale/many-workers.ts";
import { measureShapes, type ShapeCost } from "./scale/shapes.ts";

/*
 * `pnpm scale:shape [--runs 600]`: what a node costs in short and long runs, beside few and many regions, in small and large machines;
 * and what three workers do more than one. Ends with 1 when a cost grows with the size, or the workers gain too little.
 */
const at = process.argv.indexOf("--runs");
const runs = at === -1 ? 600 : Number(process.argv[at + 1]);
/** More than twice the cost of the small one is growth. */
const MAX_GROWTH = 2;
/**
 * A commit writes the whole state that it keeps, with every active region in it: fifty times the regions may write three times
 * the bytes, and no more.
 */
const MAX_GROWTH_BY_WIDTH = 3;
const MIN_GAIN = 1.6;

const postgres = await startPostgres();
let held = true;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const costs: ShapeCost[] = [];
  say(`${"".padEnd(16)}${"ms a node".padStart(12)}${"log, bytes a node".padStart(20)}`);
  await measureShapes(postgres.url, (cost) => {
    costs.push(cost);
    const { name, millisecondsPerNode, walBytesPerNode } = cost;
    say(name.padEnd(16) + millisecondsPerNode.toFixed(3).padStart(12) + walBytesPerNode.toFixed(0).padStart(20));
  });
  for (const [large, small] of [
    ["1,000 steps", "100 steps"],
    ["10,000 steps", "100 steps"],
    ["100 regions", "2 regions"],
    ["1,000 states", "20 states"],
  ] as const) {
    const [one, other] = [large, small].map((name) => costs.find((cost) => cost.name === name));
    if (one === undefined || other === undefined) throw new Error(`${large} or ${small} was not measured`);
    const time = one.millisecondsPerNode / other.millisecondsPerNode;
    const bytes = one.walBytesPerNode / other.walBytesPerNode;
    say(`${large} : ${small}  time ${time.toFixed(2)}  bytes ${bytes.toFixed(2)}`);
    held &&= time <= MAX_GROWTH && bytes <= (large.endsWith("regions") ? MAX_GROWTH_BY_WIDTH : MAX_GROWTH);
  }
} finally {
  await postgres.stop();
}
// An installation of its own: it has its own key.
const another = await startPostgres();
try {
  const { nodesPerSecond: alone } = await measureWorkers(another.url, 1, runs, 40, 10);
  const { nodesPerSecond: three } = await measureWorkers(another.url, 3, runs, 40, 10);
  say(
    `1 worker ${alone.toFixed(0)} nodes/s, 3 workers ${three.toFixed(0)} nodes/s: ${(three / alone).toFixed(2)} times`,
  );
  held &&= three / alone >= MIN_GAIN;
} finally {
  await another.stop();
}
process.exitCode = held ? 0 : 1;
