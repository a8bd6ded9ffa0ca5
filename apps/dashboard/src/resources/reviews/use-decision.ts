import type { Json, Review } from "@oven/contract";
import { useState } from "react";
import { toChanges } from "../../components/schema-form/schema-fields.ts";
import { useAction } from "../../components/use-action.ts";
import { decide, isAlreadyDecided } from "./decide.ts";

export interface Decision {
  /** `supply`: the output of a step that a crash left open is written by hand. */
  mode: "decide" | "edit" | "reject" | "supply";
  /** Also clears a failure. */
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

/** What a reviewer is about to decide. `onDecided` is told whether it was he, or somebody faster. */
export function useDecision(review: Review, onDecided: (mine: boolean) => void): Decision {
  const [mode, setMode] = useState<Decision["mode"]>("decide");
  const [edited, setEdited] = useState<Decision["edited"]>({ value: review.proposal, valid: true });
  const [reason, setReason] = useState("");
  const { busy, failure, run, reset } = useAction(async (action: string) => {
    try {
      await decide(review, {
        action,
        reason,
        ...(action === "edit" || action === "supply" ? { data: edited.value } : {}),
      });
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
      setMode(next);
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
