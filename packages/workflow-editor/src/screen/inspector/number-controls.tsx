import Box from "@mui/material/Box";
import InputAdornment from "@mui/material/InputAdornment";
import Slider from "@mui/material/Slider";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useState } from "react";
import {
  amountIn,
  readTime,
  TIME_UNITS,
  type TimeFormat,
  type TimeUnit,
  writeTime,
} from "../../inspector/number-units.ts";
import { readNumber, toScalarText } from "../../inspector/scalar-text.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { useDraftText } from "./use-draft-text.ts";

const UNIT_TITLES: Record<TimeUnit, string> = {
  milliseconds: t("milliseconds"),
  seconds: t("seconds"),
  minutes: t("minutes"),
  hours: t("hours"),
  days: t("days"),
};

/** What holds while no time is given, with its unit where it is a time. */
function timePlaceholder(initial: Json | undefined, said: string | undefined): string {
  const held = readTime(initial);
  return held === undefined ? (said ?? "") : `${held.amount} ${UNIT_TITLES[held.unit]}`;
}

/** An amount and its unit. */
export function TimeControl(props: ValueControlProps & { format: TimeFormat }): ReactElement {
  const { id, describedBy, field, at, value, invalid, format } = props;
  const { type, write, seal, placeholderOf } = useContext(FormContext);
  const read = readTime(value);
  const [chosen, setChosen] = useState<TimeUnit>(format === "ms" ? "seconds" : "hours");
  // While it is typed the unit stays; 60 minutes are an hour once the field is left.
  const [isTyped, setTyped] = useState(false);
  const unit = isTyped || read === undefined || read.amount === 0 ? chosen : read.unit;
  const readAmount = (text: string): Json | undefined => {
    const amount = readNumber(text);
    return typeof amount === "number" ? writeTime(amount, unit, format) : amount;
  };
  const [text, draft] = useDraftText(value, (given) => toScalarText(amountIn(given, unit) ?? given), readAmount);
  return (
    <Box sx={{ display: "grid", gap: 1, gridTemplateColumns: "minmax(0, 1fr) 132px" }}>
      <TextField
        id={id}
        error={invalid}
        value={text}
        placeholder={timePlaceholder(field.default, placeholderOf(field))}
        onFocus={() => {
          setChosen(unit);
          setTyped(true);
        }}
        onBlur={() => setTyped(false)}
        onChange={(event) => type(at, draft(event.target.value))}
        slotProps={{ htmlInput: { "aria-describedby": describedBy, inputMode: "decimal" } }}
      />
      <TextField
        select
        value={unit}
        onChange={(event) => {
          const next = event.target.value as TimeUnit; // cast: one of the options below
          setChosen(next);
          if (read === undefined) return;
          write(at, writeTime(amountIn(value, unit), next, format));
          seal();
        }}
        slotProps={{
          select: { native: true },
          htmlInput: { "aria-label": t("Unit of {{label}}", { label: field.label }) },
        }}
      >
        {TIME_UNITS.map((one) => (
          <option key={one} value={one}>
            {UNIT_TITLES[one]}
          </option>
        ))}
      </TextField>
    </Box>
  );
}

const toDollars = (value: Json | undefined): string =>
  typeof value === "number" ? String(value / 1_000_000) : toScalarText(value);

/** Dollars; the definition has millionths of them. */
export function MoneyControl({ id, describedBy, field, at, value, invalid }: ValueControlProps): ReactElement {
  const { type } = useContext(FormContext);
  const [text, draft] = useDraftText(value, toDollars, (typed) => {
    const amount = readNumber(typed);
    return typeof amount === "number" ? Math.round(amount * 1_000_000) : amount;
  });
  return (
    <TextField
      id={id}
      fullWidth
      error={invalid}
      value={text}
      placeholder={field.default === undefined ? t("no limit") : toDollars(field.default)}
      onChange={(event) => type(at, draft(event.target.value))}
      slotProps={{
        input: { startAdornment: <InputAdornment position="start">$</InputAdornment> },
        htmlInput: { "aria-describedby": describedBy, inputMode: "decimal" },
      }}
    />
  );
}

/** A number between two ends, by slider or typed. */
export function ScaleControl({
  scale: { least, most },
  ...props
}: ValueControlProps & { scale: { least: number; most: number } }): ReactElement {
  const { id, describedBy, field, at, value, invalid } = props;
  const { type, seal, placeholderOf } = useContext(FormContext);
  const [text, draft] = useDraftText(value, toScalarText, readNumber);
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr) 96px", alignItems: "center", pl: 1 }}>
      <Slider
        size="small"
        min={least}
        max={most}
        step={(most - least) / 20}
        value={typeof value === "number" ? value : least}
        aria-label={t("{{label}} by slider", { label: field.label })}
        onChange={(_, next) => type(at, next)}
        onChangeCommitted={() => seal()}
        sx={{ opacity: value === undefined ? 0.5 : 1 }}
      />
      <TextField
        id={id}
        error={invalid}
        value={text}
        placeholder={placeholderOf(field) ?? "–"}
        onChange={(event) => type(at, draft(event.target.value))}
        slotProps={{ htmlInput: { "aria-describedby": describedBy, inputMode: "decimal" } }}
      />
    </Box>
  );
}
