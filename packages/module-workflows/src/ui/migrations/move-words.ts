import type { MoveGroup, MoveVerdict } from "@oven/contract/run";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

/** Tone and word of a verdict. */
export const VERDICTS: Record<MoveVerdict, { tone: StatusTone; word: string }> = {
  same: { tone: "completed", word: t("can be moved") },
  mapped: { tone: "completed", word: t("can be moved, as chosen") },
  mapping: { tone: "paused", word: t("needs a choice") },
  cannot: { tone: "stopped", word: t("stay where they are") },
};

/** `3 runs of version 1 at “look”`. */
export function toGroupTitle({ count, version, states }: MoveGroup): string {
  return t("{{count}} runs of version {{version}} at {{states}}", {
    count,
    version,
    states: states.map((state) => `“${state}”`).join(", "),
  });
}

/** A choice that a person makes: which state of the runs becomes which state of the version. */
export interface MoveChoice {
  key: string;
  label: string;
  options: { value: string; text: string; mapping: readonly [from: string, to: string] }[];
}

/** What a group needs to be chosen, the likely state first. */
export function toChoices({ unplaced, missing }: Pick<MoveGroup, "unplaced" | "missing">): MoveChoice[] {
  const nameOf = (stateId: string, label: string | null): string => (label === null ? stateId : `${label} (${stateId})`);
  return [
    ...unplaced.map(({ stateId, label, proposals }) => ({
      key: `from ${stateId}`,
      label: t("“{{state}}” becomes", { state: nameOf(stateId, label) }),
      options: proposals.map((one) => ({
        value: one.stateId,
        text: nameOf(one.stateId, one.label),
        mapping: [stateId, one.stateId] as const,
      })),
    })),
    ...missing.map(({ stateId, readBy, proposals }) => ({
      key: `to ${stateId}`,
      label: t("“{{reader}}” reads the output of “{{state}}”, which was", { reader: readBy, state: stateId }),
      options: proposals.map((one) => ({
        value: one.stateId,
        text: nameOf(one.stateId, one.label),
        mapping: [one.stateId, stateId] as const,
      })),
    })),
  ].filter(({ options }) => options.length > 0);
}
