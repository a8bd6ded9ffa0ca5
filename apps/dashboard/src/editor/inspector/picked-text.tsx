import type { Json } from "@oven/contract";
import { type Picker, pickerOf, readScalar, toScalarText } from "@oven/workflow-editor/inspector";
import { type ReactElement, useContext } from "react";
import { toPlaceholder, type ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { PickInput, PickManyInput } from "./pick-input.tsx";
import { useChoices } from "./use-choices.ts";

/** A text, or a list of texts, picked from what the server has. */
export function PickedText(props: ValueControlProps): ReactElement | null {
  const picker = pickerOf(props.field);
  return picker === null ? null : <Picked {...props} picker={picker} />;
}

function Picked({
  id,
  describedBy,
  field,
  at,
  value,
  invalid,
  picker,
}: ValueControlProps & { picker: Picker }): ReactElement {
  const { write } = useContext(FormContext);
  const choices = useChoices(picker);
  const shared = { id, describedBy, choices, invalid, placeholder: toPlaceholder(field.default) };
  const { shape } = field;
  if (shape.kind === "list")
    return (
      <PickManyInput
        {...shared}
        value={Array.isArray(value) ? value.map(toScalarText) : []}
        onChange={(next) => write(at, next.length === 0 ? undefined : next)}
      />
    );
  const read = (text: string): Json | undefined =>
    shape.kind === "scalar" ? readScalar(shape, text) : text === "" ? undefined : text;
  return <PickInput {...shared} value={toScalarText(value)} onChange={(next) => write(at, read(next))} />;
}
