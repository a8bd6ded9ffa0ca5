import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ConditionTrial } from "@oven/ui/components/condition-trial.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { EFFECT_WORDS } from "./connection-words.ts";

/** Whether a person is asked before a call, and about which. */
export type Approval = Pick<McpConnectionTool, "needsApproval" | "approvalWhen">;

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
  effect: McpConnectionTool["effect"];
  approval: Approval;
  /** Whose past calls a condition is tried on: an id, or a pattern. */
  tool: string;
  onEffect: (effect: McpConnectionTool["effect"]) => void;
  onApproval: (approval: Approval) => void;
}): ReactElement {
  const { needsApproval, approvalWhen } = approval;
  return (
    <>
      <ChoiceField
        label={t("A call may")}
        helperText={helperText}
        value={effect}
        choices={EFFECT_WORDS}
        onChange={onEffect}
      />
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
