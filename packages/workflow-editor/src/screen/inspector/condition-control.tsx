import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import type { TryCondition } from "@oven/contract/review";
import { ConditionTrial } from "@oven/ui/components/condition-trial.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useContext } from "react";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext, type FormContextValue } from "./form-context.ts";

const MOST_ROWS = 6;

/** CEL over what is proposed, `args`, with what it would have done to past proposals of the step. */
export function ConditionControl({ id, describedBy, at, value, invalid }: ValueControlProps): ReactElement {
  const form = useContext(FormContext);
  return (
    <>
      <TextField
        id={id}
        fullWidth
        multiline
        maxRows={MOST_ROWS}
        error={invalid}
        placeholder="args.amount > 100"
        value={typeof value === "string" ? value : ""}
        onChange={({ target }) => form.type(at, target.value === "" ? undefined : target.value)}
        slotProps={{
          htmlInput: {
            "aria-describedby": describedBy,
            spellCheck: false,
            autoCapitalize: "off",
            autoComplete: "off",
            style: { fontFamily: MONOSPACE, fontSize: 13 },
          },
        }}
      />
      <ConditionTrial asked={toAsked(form, value, form.read([...at.slice(0, -1), "tool"]))} />
    </>
  );
}

/** @param tool what the rule around the condition says it is about, where it says so */
function toAsked(
  { past, place }: FormContextValue,
  when: Json | undefined,
  tool: Json | undefined,
): TryCondition | null {
  if (typeof when !== "string" || when.trim() === "" || past === undefined || place.stateId === null) return null;
  const step = { ...past.workflow, nodeId: place.stateId };
  return typeof tool === "string" && tool !== "" ? { when, step, tool } : { when, step };
}
