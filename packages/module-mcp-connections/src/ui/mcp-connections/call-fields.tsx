import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import type { McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import type { ReactElement } from "react";
import { EFFECT_WORDS } from "./connection-words.ts";

/** What is approved with a tool: what a call may do, and whether a person is asked first. */
export function CallFields({
  helperText,
  effect,
  needsApproval,
  onEffect,
  onNeedsApproval,
}: {
  helperText: string;
  effect: McpConnectionTool["effect"];
  needsApproval: boolean;
  onEffect: (effect: McpConnectionTool["effect"]) => void;
  onNeedsApproval: (needsApproval: boolean) => void;
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
      <FormControlLabel
        control={<Switch checked={needsApproval} onChange={(event) => onNeedsApproval(event.target.checked)} />}
        label={t("Ask a person before each call")}
      />
    </>
  );
}
