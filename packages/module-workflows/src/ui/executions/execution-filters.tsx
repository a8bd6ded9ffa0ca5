import TuneRounded from "@mui/icons-material/TuneRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useGetIdentity, useGetList, useListContext } from "react-admin";
import { dayAfter, MORE_FILTERS, startOfDay, toDay } from "./run-filter-values.ts";

const BY_NAME = { pagination: { page: 1, perPage: 200 }, sort: { field: "name", order: "ASC" as const } };

const DURATIONS = [
  { label: t("Any"), value: "" },
  { label: t("Over 10 s"), value: "10000" },
  { label: t("Over 1 min"), value: "60000" },
  { label: t("Over 10 min"), value: "600000" },
  { label: t("Over 1 h"), value: "3600000" },
];

const COSTS = [
  { label: t("Any"), value: "" },
  { label: t("Over $0.01"), value: "10000" },
  { label: t("Over $0.10"), value: "100000" },
  { label: t("Over $1"), value: "1000000" },
  { label: t("Over $10"), value: "10000000" },
];

type SetFilter = (field: string, value: string | number | undefined) => void;

/** Dates, duration, cost, words of the input and caller: folded away until they are wanted. */
export function MoreFilters(): ReactElement {
  const { filterValues, setFilters } = useListContext();
  const chosen = MORE_FILTERS.filter((field) => filterValues[field] !== undefined).length;
  const [open, setOpen] = useState(false);
  const set: SetFilter = (field, value) => {
    const { [field]: _, ...others } = filterValues;
    setFilters(value === undefined ? others : { ...others, [field]: value });
  };
  return (
    <>
      <Button
        size="small"
        startIcon={<TuneRounded />}
        aria-expanded={open || chosen > 0}
        onClick={() => setOpen((before) => !before)}
      >
        {chosen === 0 ? t("More filters") : t("More filters ({{chosen}})", { chosen })}
      </Button>
      {open || chosen > 0 ? (
        <Box
          role="group"
          aria-label={t("More filters")}
          sx={{
            display: "grid",
            gap: 1.25,
            width: "100%",
            gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", md: "repeat(6, minmax(0, 1fr))" },
          }}
        >
          <Day
            label={t("From")}
            at={filterValues.createdAt_gte}
            onChange={(day) => set("createdAt_gte", day && startOfDay(day))}
          />
          <Day
            label={t("To")}
            at={filterValues.createdAt_lt}
            last
            onChange={(day) => set("createdAt_lt", day && dayAfter(day))}
          />
          <OneOf
            label={t("Took")}
            choices={DURATIONS}
            field="durationMs_gte"
            set={set}
            value={filterValues.durationMs_gte}
          />
          <OneOf
            label={t("Cost")}
            choices={COSTS}
            field="costMicros_gte"
            set={set}
            value={filterValues.costMicros_gte}
          />
          <InputWords value={filterValues.input} set={set} />
          <Caller value={filterValues.caller} set={set} />
        </Box>
      ) : null}
    </>
  );
}

function Day({
  label,
  at,
  last = false,
  onChange,
}: {
  label: string;
  at: unknown;
  last?: boolean;
  onChange: (day: string | undefined) => void;
}): ReactElement {
  return (
    <TextField
      type="date"
      label={label}
      value={typeof at === "string" ? toDay(at, last) : ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

function OneOf({
  label,
  choices,
  field,
  value,
  set,
}: {
  label: string;
  choices: readonly { label: string; value: string }[];
  field: string;
  value: unknown;
  set: SetFilter;
}): ReactElement {
  const chosen = String(value ?? "");
  return (
    <TextField
      select
      label={label}
      value={choices.some((choice) => choice.value === chosen) ? chosen : ""}
      onChange={(event) => set(field, event.target.value === "" ? undefined : Number(event.target.value))}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** Asked for with Enter or when it is left: it reads every run. */
function InputWords({ value, set }: { value: unknown; set: SetFilter }): ReactElement {
  const applied = typeof value === "string" ? value : "";
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  const apply = (): void => {
    if (text.trim() !== applied) set("input", text.trim() === "" ? undefined : text.trim());
  };
  return (
    <TextField
      label={t("Input contains")}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

function Caller({ value, set }: { value: unknown; set: SetFilter }): ReactElement {
  const { identity } = useGetIdentity();
  const { data } = useGetList<User>("users", BY_NAME, { enabled: useCan("users.read"), retry: false });
  const choices = [
    { value: "", label: t("Anyone") },
    ...(identity === undefined ? [] : [{ value: `user:${identity.id}`, label: t("Me") }]),
    ...(data ?? [])
      .filter(({ id }) => String(id) !== String(identity?.id))
      .map(({ id, name }) => ({ value: `user:${id}`, label: name })),
    { value: "api-key", label: t("An API key") },
    { value: "system", label: t("The system") },
  ];
  return (
    <TextField
      select
      label={t("Started by")}
      value={choices.some((choice) => choice.value === value) ? value : ""}
      onChange={(event) => set("caller", event.target.value === "" ? undefined : event.target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
