import type { TriggerShaping } from "@oven/contract/trigger";

export type Gathering = "none" | "debounce" | "batch";

const MINUTE = 60_000;

const STARTS = {
  dedupe: { key: "", withinMs: 60 * MINUTE },
  debounce: { quietMs: MINUTE },
  batch: { count: 10, withinMs: MINUTE },
  rate: { count: 1, perMs: MINUTE, over: "wait" },
} as const satisfies TriggerShaping;

export function gatheringOf(shaping: TriggerShaping | null): Gathering {
  return shaping?.debounce !== undefined ? "debounce" : shaping?.batch !== undefined ? "batch" : "none";
}

/** With a part, without it, or with other settings of it; null: nothing is left. */
export function withPart<Part extends keyof TriggerShaping>(
  shaping: TriggerShaping | null,
  part: Part,
  settings: TriggerShaping[Part],
): TriggerShaping | null {
  const { [part]: _, ...others } = shaping ?? {};
  const all = settings === undefined ? others : { ...others, [part]: settings };
  return Object.keys(all).length === 0 ? null : all;
}

export function switched(shaping: TriggerShaping | null, part: "dedupe" | "rate", isOn: boolean) {
  return withPart(shaping, part, isOn ? STARTS[part] : undefined);
}

export function gathering(shaping: TriggerShaping | null, chosen: Gathering): TriggerShaping | null {
  const none = withPart(withPart(shaping, "debounce", undefined), "batch", undefined);
  if (chosen === "none") return none;
  return chosen === "debounce" ? withPart(none, "debounce", STARTS.debounce) : withPart(none, "batch", STARTS.batch);
}
