import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { PickInput, PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import type { Picker } from "@oven/ui/components/pick/picker.ts";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { type ReactElement, useContext } from "react";
import { pickerOf } from "../../inspector/pickers.ts";
import { readNumber, readScalar, toScalarText } from "../../inspector/scalar-text.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";

/** A field for a text, or a list of texts, with suggestions from the server; nothing for other fields. */
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
  const { write, type, placeholderOf, read: readForm } = useContext(FormContext);
  // The field of a version depends on the fields for the workflow and its kind, which stand beside it.
  const beside = (name: string): Json | undefined => readForm([...at.slice(0, -1), name]);
  const choices = useChoices(picker, { workflow: beside("workflow"), kind: beside("kind") });
  const placeholder = picker === "workflow-version" ? t("latest published") : placeholderOf(field);
  const shared = { id, describedBy, choices, invalid, placeholder };
  const { shape } = field;
  if (shape.kind === "list")
    return (
      <PickManyInput
        {...shared}
        value={Array.isArray(value) ? value.map(toScalarText) : []}
        onChange={(next) => write(at, next.length === 0 ? undefined : next)}
      />
    );
  const read = (text: string): Json | undefined => {
    if (shape.kind === "scalar") return readScalar(shape, text);
    if (shape.kind === "number") return readNumber(text);
    return text === "" ? undefined : text;
  };
  return <PickInput {...shared} value={toScalarText(value)} onChange={(next) => type(at, read(next))} />;
}
