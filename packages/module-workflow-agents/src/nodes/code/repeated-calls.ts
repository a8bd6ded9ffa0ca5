import type { ToolCall } from "@oven/contract/ai";
import type { ToolCallRecord } from "@oven/contract/node";
import { hashJson } from "@oven/engine";
import type { AskedCall, CodePlace } from "./code-place.ts";

/** What a call does to the world: `pure` is made again at will. */
type EffectOf = (tool: string) => string | undefined;

/**
 * Which of a program's next calls are answered from the record of a program before it: what was done already is not done again.
 *
 * A call counts as the same where tool and arguments are, as the programs have written them. The second of two equal calls of a program is
 * the second of those before it, so a program that makes one more than was made makes only that one. Tools that only read are asked again;
 * so is what has failed, but for tools that may act at most once.
 * @param calls those at which the program waits now
 */
export function findRepeated(place: CodePlace, calls: readonly ToolCall[], effectOf: EffectOf): ToolCallRecord[] {
  const programs = recordedPrograms(place);
  const before = place.asked.flat().map(keyOf);
  const seen = new Map(before.map((key) => [key, before.filter((other) => other === key).length]));
  return calls.flatMap((call): ToolCallRecord[] => {
    const key = keyOf(call);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    const effect = effectOf(call.tool);
    if (effect === "pure") return [];
    const found = programs.map((made) => made.filter((one) => one.key === key)[nth - 1]?.record);
    const record = found.findLast((one) => one !== undefined);
    if (record === undefined || (record.error !== undefined && effect !== "at-most-once")) return [];
    return [{ ...record, toolCallId: call.toolCallId, durationMs: 0 }];
  });
}

/** The calls of each earlier program with their answers, by what was asked for. */
function recordedPrograms({ earlier, earlierAsked }: CodePlace): { key: string; record: ToolCallRecord }[][] {
  return earlier.map((batches, index) => {
    const asked = earlierAsked[index]?.flat() ?? [];
    return batches.flat().map((record, position) => ({ key: keyOf(asked[position] ?? record), record }));
  });
}

function keyOf({ tool, arguments: given }: AskedCall | ToolCall | ToolCallRecord): string {
  return hashJson([tool, given]);
}
