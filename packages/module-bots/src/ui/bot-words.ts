import type { Bot } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

export const MESSENGERS: Record<Bot["connection"]["type"], string> = {
  "slack-app": "Slack",
  teams: "Microsoft Teams",
};

interface Look {
  tone: StatusTone;
  word: string;
}

const ON: Look = { tone: "completed", word: t("Answering") };
const OFF: Look = { tone: "cancelled", word: t("Off") };
const FAILING: Look = { tone: "failed", word: t("Needs attention") };

export function lookOf({ enabled, lastError }: Bot): Look {
  if (!enabled) return OFF;
  return lastError === null ? ON : FAILING;
}

/** Whom a bot answers, in one line. */
export function whoIsAnswered({ guests, listens }: Bot): string {
  const who = guests === null ? t("People with a linked account") : t("Everyone in the workspace");
  const where = [
    ...(listens.mentions ? [t("mentions")] : []),
    ...(listens.direct ? [t("direct messages")] : []),
    ...(listens.channels.length === 0 ? [] : [t("all messages in named channels")]),
  ];
  return `${who}: ${where.join(", ")}`;
}
