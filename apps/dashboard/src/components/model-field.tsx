import { type ReactElement, useId } from "react";
import { PickInput } from "./pick/pick-input.tsx";
import { useChoices } from "./pick/use-choices.ts";

/** An alias or `providerId:modelId`, from what aliases and providers there are, or typed. */
export function ModelField({
  label,
  value,
  onChange,
  helperText,
  required = false,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  helperText?: string;
  required?: boolean;
}): ReactElement {
  const choices = useChoices("model");
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
