import type { RunCheckpoint } from "@oven/contract/run";
import { t } from "@oven/i18n";

const WORDS: Record<RunCheckpoint["cause"], string> = {
  start: "began",
  seed: t("was taken over"),
  done: t("was done"),
  wait: "waits",
  failed: "failed",
  starting: t("began to be called"),
  signal: t("was answered"),
  clock: t("time passed"),
  takeover: t("was taken over"),
  resumed: t("went on"),
  migrated: t("was moved to another version"),
};

/** A checkpoint in words: "review was answered". */
export function toWords({ nodeId, cause, visit, item, end }: RunCheckpoint): string {
  const place =
    nodeId === null
      ? t("The run")
      : `${nodeId}${item === null ? "" : ` (${item})`}${(visit ?? 1) > 1 ? ` ×${visit}` : ""}`;
  return `${place} ${WORDS[cause]}${end === null ? "" : `; ${end}`}`;
}
