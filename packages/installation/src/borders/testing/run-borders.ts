import { isSame, isSameNumber, readWritten, WrittenNumber, writtenAt } from "./exact-json.ts";
import { type BorderValue, sampleValues } from "./values.ts";
import { type Outcome, startWays, type Way } from "./ways.ts";

const BATCH = 20;

export interface BorderReport {
  /** Values sent, each by one way. */
  sent: number;
  /** By way: how many came equal, and how many were refused, by code. */
  ways: Record<string, Record<string, number>>;
  /** What came otherwise than it was sent, was refused without a reason, or took the server down. */
  failures: string[];
}

/**
 * Sends generated values in by every way and compares what a run has and hands on with what was sent: equal, or refused.
 * @param count of values; each goes one way
 */
export async function runBorders(count: number, seed: number): Promise<BorderReport> {
  const { ways, schemaWay, stop } = await startWays();
  const report: BorderReport = { sent: 0, ways: {}, failures: [] };
  const note = (way: string, what: string) => {
    const of = report.ways[way] ?? {};
    report.ways[way] = of;
    of[what] = (of[what] ?? 0) + 1;
    report.sent++;
  };
  const judge = (way: string, value: BorderValue, name: string, outcome: Outcome) => {
    if (outcome.type === "came") {
      const wrong = outcome.seen.find(
        ({ values }) => !isSame(writtenAt(values ?? null, name), readWritten(value.source)),
      );
      if (wrong === undefined) note(way, "equal");
      else {
        note(way, "DIFFERENT");
        const came = JSON.stringify(writtenAt(wrong.values ?? null, name), plain) ?? "nothing";
        report.failures.push(`${way}, ${wrong.where} (${value.charset}): ${value.source} came as ${came}`);
      }
      return;
    }
    note(way, outcome.code);
    const why = unreasonable(value, outcome);
    if (why !== undefined)
      report.failures.push(`${way} (${value.charset}): ${value.source} ${why}: ${outcome.code} ${outcome.message}`);
  };
  try {
    const values = sampleValues(count, seed);
    const queues = new Map<Way, BorderValue[]>(ways.map((way) => [way, []]));
    for (const [index, value] of values.entries()) {
      const taking = ways.filter((way) => way.takes(value));
      const way = taking[index % taking.length];
      if (value.kind === "schema" && index % 3 === 0) judge("definition", value, "v0", await schemaWay(value.source));
      else if (way !== undefined) queues.get(way)?.push(value);
    }
    for (const [way, queue] of queues) {
      for (let start = 0; start < queue.length; start += BATCH) {
        const batch = new Map(queue.slice(start, start + BATCH).map((value, index) => [`v${index}`, value]));
        await sendAll(way, batch, (name, outcome) => {
          const value = batch.get(name);
          if (value !== undefined) judge(way.name, value, name, outcome);
        });
      }
    }
  } finally {
    await stop();
  }
  return report;
}

/** Values that are refused together go again without those that the refusal names, or each half by itself. */
async function sendAll(
  way: Way,
  values: ReadonlyMap<string, BorderValue>,
  settle: (name: string, outcome: Outcome) => void,
): Promise<void> {
  if (values.size === 0) return;
  const outcome = await way.send(values);
  if (outcome.type === "came" || values.size === 1) {
    for (const name of values.keys()) settle(name, outcome);
    return;
  }
  const named = outcome.names.filter((name) => values.has(name));
  const all = [...values];
  if (named.length > 0 && outcome.code === "NUMBER_NOT_EXACT") {
    for (const name of named) settle(name, outcome);
    await sendAll(way, new Map(all.filter(([name]) => !named.includes(name))), settle);
    return;
  }
  const half = Math.ceil(all.length / 2);
  await sendAll(way, new Map(all.slice(0, half)), settle);
  await sendAll(way, new Map(all.slice(half)), settle);
}

/** Why a refusal is none that a sender can do something about; undefined where it is. */
function unreasonable(value: BorderValue, { code, message }: Outcome & { type: "refused" }): string | undefined {
  if (/^\d{3} |^null$|^none$|INTERNAL/.test(code)) return "was refused without a reason";
  if (value.kind === "number" && code === "NUMBER_NOT_EXACT") {
    const double = Number(value.source);
    const exact = Number.isFinite(double) && isSameNumber(value.source, JSON.stringify(double));
    return exact ? "was refused though it is exact" : undefined;
  }
  if (value.kind === "text" || value.kind === "date") return "was refused";
  return message === "" ? "was refused without words" : undefined;
}

function plain(_key: string, value: unknown): unknown {
  return value instanceof WrittenNumber ? value.text : value;
}
