import type { Effect } from "@oven/contract/node";
import { t } from "@oven/i18n";
import type { StatusTone } from "../theme/tokens.ts";

interface EffectLook {
  tone: StatusTone;
  word: string;
  /** What a call may do, as a sentence for whoever is about to make one. */
  warning: string | null;
}

/** What a call of a tool does to the world, in the words that every screen uses. */
export const EFFECT_LOOK: Readonly<Record<Effect, EffectLook>> = {
  pure: { tone: "queued", word: t("reads only"), warning: null },
  idempotent: {
    tone: "paused",
    word: t("changes"),
    warning: t("This changes something. The same call again changes nothing more."),
  },
  "at-least-once": {
    tone: "paused",
    word: t("acts"),
    warning: t("This really does something, and does it again with every call."),
  },
  "at-most-once": {
    tone: "failed",
    word: t("acts once"),
    warning: t("This really does something that cannot be undone from here."),
  },
};
