import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { Effect } from "@oven/contract/node";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { ChoiceField } from "./choice-field.tsx";
import { ConditionTrial } from "./condition-trial.tsx";

/** Whether a person is asked before a call, and about which: CEL over `args`, or null for each. */
export interface Approval {
  needsApproval: boolean;
  approvalWhen: string | null;
}

const EFFECT_WORDS: readonly { value: Effect; label: string }[] = [
  { value: "at-most-once", label: t("Act at most once: never tried again by itself") },
  { value: "at-least-once", label: t("Be tried again, though it may then act twice") },
  { value: "idempotent", label: t("Be repeated: the second time changes nothing more") },
  { value: "pure", label: t("Only read") },
];

/** What is approved with a tool: what a call may do, and whether a person is asked first. */
export function CallFields({
  helperText,
  effect,
  approval,
  tool,
  onEffect,
  onApproval,
}: {
  helperText: string;
  effect: Effect;
  approval: Approval;
  /** Whose past calls a condition is tried on: an id, or a pattern. */
  tool: string;
  onEffect: (effect: Effect) => void;
  onApproval: (approval: Approval) => void;
}): ReactElement {
  return (
    <>
      <ChoiceField
        label={t("A call may")}
        helperText={helperText}
        value={effect}
        choices={EFFECT_WORDS}
        onChange={onEffect}
      />
      <ApprovalFields approval={approval} tool={tool} onApproval={onApproval} />
    </>
  );
}

/** Whether a person is asked before a call, and about which. */
export function ApprovalFields({
  approval,
  tool,
  onApproval,
}: {
  approval: Approval;
  tool: string;
  onApproval: (approval: Approval) => void;
}): ReactElement {
  const { needsApproval, approvalWhen } = approval;
  return (
    <>
      <FormControlLabel
        control={
          <Switch
            checked={needsApproval}
            onChange={(event) => onApproval({ ...approval, needsApproval: event.target.checked })}
          />
        }
        label={t("Ask a person before each call")}
      />
      {needsApproval ? (
        <>
          <TextField
            label={t("Only where this holds")}
            helperText={t(
              "CEL over the arguments, such as args.amount > 100. Left empty: before each call. Where it cannot be computed, a person is asked.",
            )}
            placeholder="args.amount > 100"
            value={approvalWhen ?? ""}
            onChange={({ target }) =>
              onApproval({ ...approval, approvalWhen: target.value.trim() === "" ? null : target.value })
            }
            slotProps={{
              htmlInput: { spellCheck: false, autoCapitalize: "off", style: { fontFamily: MONOSPACE, fontSize: 13 } },
            }}
          />
          <ConditionTrial asked={approvalWhen === null ? null : { when: approvalWhen, tool }} />
        </>
      ) : null}
    </>
  );
}
