import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Json } from "@oven/contract";
import type { FormField } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { Answer } from "./read-answer.ts";

interface FormControlProps {
  field: FormField;
  answer: Answer;
  problem: string | undefined;
  onChange: (answer: Answer) => void;
}

/** One question, with what is wrong with the answer under it. */
export function FormControl(props: FormControlProps): ReactElement {
  switch (props.field.control) {
    case "boolean":
      return <Mark {...props} />;
    case "choices":
      return <Marks {...props} />;
    default:
      return <Text {...props} />;
  }
}

const INPUT_TYPES: Partial<Record<FormField["control"], string>> = {
  email: "email",
  date: "date",
  "date-time": "datetime-local",
  time: "time",
};
const HINTS: Partial<Record<FormField["control"], string>> = { "text-list": t("One per line."), json: "As JSON." };

function Text({ field, answer, problem, onChange }: FormControlProps): ReactElement {
  const { name, label, required, control, description, choices, choiceLabels } = field;
  const isLong = control === "long-text" || control === "text-list" || control === "json";
  const isNumber = control === "number" || control === "integer";
  const hint = problem ?? ([description, HINTS[control]].filter(Boolean).join(" ") || null);
  const isChoice = control === "choice";
  return (
    <TextField
      id={`field-${name}`}
      name={name}
      label={label}
      required={required}
      fullWidth
      select={isChoice}
      multiline={isLong}
      {...(isLong ? { minRows: control === "long-text" ? 4 : 3, maxRows: 16 } : {})}
      type={INPUT_TYPES[control] ?? "text"}
      value={typeof answer === "string" ? answer : ""}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={hint}
      slotProps={{
        htmlInput: {
          ...(isNumber ? { inputMode: "decimal" } : {}),
          autoComplete: control === "email" ? "email" : "on",
        },
        ...(isChoice ? { select: { native: true }, inputLabel: { shrink: true, htmlFor: `field-${name}` } } : {}),
        ...(control.startsWith("date") || control === "time" ? { inputLabel: { shrink: true } } : {}),
      }}
    >
      {isChoice
        ? [
            <option key="" value="">
              {required ? t("Choose…") : "–"}
            </option>,
            ...choices.map((choice, index) => (
              <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
                {choiceLabels[index]}
              </option>
            )),
          ]
        : null}
    </TextField>
  );
}

function Mark({ field, answer, problem, onChange }: FormControlProps): ReactElement {
  const { name, label, required, description } = field;
  const hint = problem ?? description;
  return (
    <Box>
      <FormControlLabel
        label={required ? `${label} *` : label}
        control={
          <Checkbox
            id={`field-${name}`}
            name={name}
            checked={answer === true}
            onChange={(event) => onChange(event.target.checked)}
            slotProps={{ input: hint === null ? {} : { "aria-describedby": `hint-${name}` } }}
          />
        }
      />
      {hint === null ? null : (
        <FormHelperText id={`hint-${name}`} error={problem !== undefined} sx={{ mx: 1.75, mt: 0 }}>
          {hint}
        </FormHelperText>
      )}
    </Box>
  );
}

function Marks({ field, answer, problem, onChange }: FormControlProps): ReactElement {
  const { name, label, required, description, choices, choiceLabels } = field;
  const marked: Json[] = Array.isArray(answer) ? answer : [];
  const hint = problem ?? description;
  const isMarked = (choice: Json): boolean => marked.some((one) => JSON.stringify(one) === JSON.stringify(choice));
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Typography component="legend" variant="body2" sx={{ p: 0, fontWeight: 600 }}>
        {required ? `${label} *` : label}
      </Typography>
      {choices.map((choice, index) => (
        <FormControlLabel
          key={JSON.stringify(choice)}
          label={choiceLabels[index] ?? ""}
          control={
            <Checkbox
              {...(index === 0 ? { id: `field-${name}` } : {})}
              checked={isMarked(choice)}
              onChange={(event) =>
                onChange(choices.filter((one) => (one === choice ? event.target.checked : isMarked(one))))
              }
            />
          }
        />
      ))}
      {hint === null ? null : (
        <FormHelperText error={problem !== undefined} sx={{ mx: 0 }}>
          {hint}
        </FormHelperText>
      )}
    </Box>
  );
}
