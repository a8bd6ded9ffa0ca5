import type { Json } from "@oven/contract";
import type { VersionChange, VersionComparison } from "@oven/contract/workflow";
import type { PartDiff } from "./compare-parts.ts";

export type Sign = "+" | "-" | "~" | ">";

/** One change in words. */
export interface ChangeEntry {
  sign: Sign;
  words: string;
  /** Before and after, line by line, with the lines between them that both have. */
  lines: ChangeLine[];
}

export interface ChangeLine {
  sign: "+" | "-" | " ";
  text: string;
}

/** Lines that both sides have around what differs. */
const AROUND = 2;

export function toEntries({ states, fields }: Pick<PartDiff, "states" | "fields">): ChangeEntry[] {
  const entries = fields.map((change) => toEntry("field", change));
  return states === null ? entries : [...entries, ...stateEntries(states)];
}

function stateEntries({
  added,
  removed,
  moved,
  changed,
  settings,
}: Omit<VersionComparison, "from" | "to">): ChangeEntry[] {
  const place = (id: string | null): string => (id === null ? "the top" : id);
  return [
    ...settings.map((change) => toEntry("setting", change)),
    ...added.map((id): ChangeEntry => ({ sign: "+", words: `state ${id}`, lines: [] })),
    ...removed.map((id): ChangeEntry => ({ sign: "-", words: `state ${id}`, lines: [] })),
    ...moved.map(
      ({ stateId, from, to }): ChangeEntry => ({
        sign: ">",
        words: `state ${stateId} moved from ${place(from)} to ${place(to)}`,
        lines: [],
      }),
    ),
    ...changed.map(({ stateId, ...change }) => toEntry(`state ${stateId}:`, change)),
  ];
}

function toEntry(what: string, { path, from, to }: VersionChange): ChangeEntry {
  const sign = from === undefined && to !== undefined ? "+" : to === undefined && from !== undefined ? "-" : "~";
  return { sign, words: `${what} ${path}`, lines: toLines(from, to) };
}

function toLines(from: Json | undefined, to: Json | undefined): ChangeLine[] {
  const before = from === undefined ? [] : toText(from, to).split("\n");
  const after = to === undefined ? [] : toText(to, from).split("\n");
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const line = (sign: ChangeLine["sign"]) => (text: string) => ({ sign, text });
  return [
    ...before.slice(Math.max(0, head - AROUND), head).map(line(" ")),
    ...before.slice(head, before.length - tail).map(line("-")),
    ...after.slice(head, after.length - tail).map(line("+")),
    ...before.slice(before.length - tail, before.length - tail + AROUND).map(line(" ")),
  ];
}

/** A text of several lines as it is; all else as JSON, which tells 1 from "1". */
function toText(value: Json, other: Json | undefined): string {
  const isLong = typeof value === "string" && value.includes("\n");
  const isBesideLong = typeof value === "string" && typeof other === "string" && other.includes("\n");
  return isLong || isBesideLong ? (value as string) : JSON.stringify(value, null, 2); // cast: a text
}
