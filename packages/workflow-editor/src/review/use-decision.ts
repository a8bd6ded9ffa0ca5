import type { Json } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { toChanges } from "@oven/ui/components/schema-form/schema-fields.ts";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useState } from "react";
import { type DecisionDraft, decide, decisionHold, isAlreadyDecided, mayWait } from "./decide.ts";

const FORMS = ["edit", "reject", "supply", "submit"] as const;
/** What is sent with them is what was typed. */
const WITH_DATA: readonly string[] = ["edit", "supply", "submit"];

/** The form in which a draft was written. */
function modeOf({ action }: DecisionDraft): Decision["mode"] {
  return FORMS.find((form) => form === action) ?? "decide";
}

export interface Decision {
  /**
   * `supply`: the output of a step that a crash left open is written by hand. `submit`: the run asks for nothing but a form to be
   * filled in, which is open from the start.
   */
  mode: "decide" | "edit" | "reject" | "supply" | "submit";
  /** Also clears a failure. `decide` is back to where it began. */
  open: (mode: Decision["mode"]) => void;
  edited: { value: Json; valid: boolean };
  setEdited: (edited: Decision["edited"]) => void;
  changed: boolean;
  reason: string;
  setReason: (reason: string) => void;
  busy: boolean;
  failure: unknown;
  offers: (action: string) => boolean;
  send: (action: string) => void;
}

/**
 * What a reviewer is about to decide. `onDecided` learns whether it was they, or another reviewer who was faster. With `held` the decision waits
 * for a moment in which it can be taken back, and is about `held` too; without, it is sent at once.
 * `sendNow` sends a decision that is not held, and throws when it is refused.
 * `wanted` names the form that is open at first, where the review offers it: nothing is decided by that.
 */
export function useDecision(
  review: Review,
  onDecided: (mine: boolean) => void,
  held: readonly Review[] | null = null,
  wanted: string | null = null,
  sendNow: (review: Review, draft: DecisionDraft) => Promise<void> = decide,
): Decision {
  const [undone] = useState(() => (held === null ? null : decisionHold.undone(review)));
  const first: Decision["mode"] = review.actions.includes("submit") ? "submit" : "decide";
  const [mode, setMode] = useState<Decision["mode"]>(() => {
    if (undone !== null) return modeOf(undone);
    return FORMS.find((form) => form === wanted && review.actions.includes(form)) ?? first;
  });
  const [edited, setEdited] = useState<Decision["edited"]>({ value: undone?.data ?? review.proposal, valid: true });
  const [reason, setReason] = useState(undone?.reason ?? "");
  const { busy, failure, run, reset } = useAction(async (action: string) => {
    const draft: DecisionDraft = {
      action,
      reason,
      ...(WITH_DATA.includes(action) ? { data: edited.value } : {}),
    };
    if (held !== null && mayWait(review, draft)) {
      decisionHold.hold([review, ...held], draft);
      return;
    }
    try {
      await sendNow(review, draft);
      onDecided(true);
    } catch (error) {
      if (!isAlreadyDecided(error)) throw error;
      onDecided(false);
    }
  });
  return {
    mode,
    open: (next) => {
      reset();
      setEdited({ value: next === "supply" ? {} : review.proposal, valid: true });
      setMode(next === "decide" ? first : next);
    },
    edited,
    setEdited,
    changed: toChanges(review.proposal, edited.value).length > 0,
    reason,
    setReason,
    busy,
    failure,
    offers: (action) => review.actions.includes(action),
    send: (action) => void run(action),
  };
}
