import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useContext } from "react";
import { isGuardShape } from "../../inspector/guard-kinds.ts";
import { isMoney, scaleOf, timeFormatOf } from "../../inspector/number-units.ts";
import { pickerOf } from "../../inspector/pickers.ts";
import { readNumber, readScalar, toScalarText } from "../../inspector/scalar-text.ts";
import { CodeControl } from "./code-control.tsx";
import { ConditionControl } from "./condition-control.tsx";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { GuardControl } from "./guard-control.tsx";
import { JsonField } from "./json-field.tsx";
import { ListControl } from "./list-control.tsx";
import { MoneyControl, ScaleControl, TimeControl } from "./number-controls.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { PickedText } from "./picked-text.tsx";
import { RecordControl } from "./record-control.tsx";
import { SchemaControl } from "./schema-control.tsx";
import { useDraftText } from "./use-draft-text.ts";
import { VariantControl } from "./variant-control.tsx";

/** The control for a value that is typed as such. */
export function ValueControl(props: ValueControlProps): ReactElement {
  const { id, describedBy, field, at, value } = props;
  const { write, type } = useContext(FormContext);
  const { shape } = field;
  switch (shape.kind) {
    case "boolean": {
      const on = value === undefined ? field.default === true : value === true;
      return (
        <Switch
          id={id}
          size="small"
          checked={on}
          onChange={(event) => write(at, event.target.checked)}
          slotProps={{ input: { "aria-describedby": describedBy } }}
        />
      );
    }
    case "choice":
      return <ChoiceControl {...props} choices={shape.choices} />;
    case "text":
    case "number":
    case "scalar":
      return pickerOf(field) === null ? <TypedControl {...props} /> : <PickedText {...props} />;
    case "code":
      return shape.limits["x-code"] === "condition" ? <ConditionControl {...props} /> : <CodeControl {...props} />;
    case "list":
      return <ListControl {...props} item={shape.item} />;
    case "object":
      return <ObjectFields fields={shape.fields} at={at} value={value} nested />;
    case "record":
      return <RecordControl {...props} item={shape.value} />;
    case "schema":
      return <SchemaControl {...props} />;
    case "variants":
      return isGuardShape(shape) ? (
        <GuardControl {...props} />
      ) : (
        <VariantControl {...props} shape={shape} ValueControl={ValueControl} />
      );
    default:
      return <JsonField id={id} label={field.label} value={value} onChange={(next) => type(at, next)} />;
  }
}

/** By what the number or text means: a time, money, a place on a scale, or no more than it is. */
function TypedControl(props: ValueControlProps): ReactElement {
  const { field } = props;
  const format = timeFormatOf(field);
  if (format !== null) return <TimeControl {...props} format={format} />;
  if (isMoney(field)) return <MoneyControl {...props} />;
  const scale = scaleOf(field.shape);
  return scale === null ? <SimpleControl {...props} /> : <ScaleControl {...props} scale={scale} />;
}

function ChoiceControl({
  id,
  describedBy,
  field,
  at,
  value,
  invalid,
  choices,
}: ValueControlProps & { choices: Json[] }): ReactElement {
  const { write, placeholderOf } = useContext(FormContext);
  const initial = placeholderOf(field);
  return (
    <TextField
      select
      id={id}
      error={invalid}
      value={value === undefined ? "" : JSON.stringify(value)}
      onChange={(event) => write(at, event.target.value === "" ? undefined : JSON.parse(event.target.value))}
      // A list of the browser's own: many of these are open at once.
      slotProps={{ select: { native: true }, htmlInput: { "aria-describedby": describedBy } }}
    >
      {field.required && value !== undefined ? null : (
        <option value="">{initial === undefined ? "–" : t("{{initial}} (unless set)", { initial })}</option>
      )}
      {choices.map((choice) => (
        <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
          {String(choice)}
        </option>
      ))}
    </TextField>
  );
}

function SimpleControl({ id, describedBy, field, at, value, invalid }: ValueControlProps): ReactElement {
  const { type, placeholderOf } = useContext(FormContext);
  const { shape } = field;
  const read = (text: string): Json | undefined =>
    shape.kind === "scalar" ? readScalar(shape, text) : readNumber(text);
  const [text, draft] = useDraftText(value, toScalarText, read);
  return (
    <TextField
      id={id}
      fullWidth
      error={invalid}
      value={text}
      placeholder={placeholderOf(field) ?? ""}
      onChange={(event) => type(at, draft(event.target.value))}
      slotProps={{
        htmlInput: { "aria-describedby": describedBy, ...(shape.kind === "number" ? { inputMode: "decimal" } : {}) },
      }}
    />
  );
}
