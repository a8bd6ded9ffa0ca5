import { type ReactElement, useId } from "react";
import { PickInput } from "./pick/pick-input.tsx";
import { useChoices } from "./pick/use-choices.ts";

/** An alias, if `aliases` is not false, or `providerId:modelId`, from what there is, or typed. */
export function ModelField({
  label,
  value,
  onChange,
  helperText,
  required = false,
  aliases = true,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  helperText?: string;
  required?: boolean;
  aliases?: boolean;
}): ReactElement {
  const all = useChoices("model");
  const choices = aliases ? all : all.filter((choice) => choice.value.includes(":"));
  return (
    <PickInput
      id={useId()}
      label={label}
      choices={choices}
      value={value}
      onChange={onChange}
      helperText={helperText}
      required={required}
    />
  );
}
