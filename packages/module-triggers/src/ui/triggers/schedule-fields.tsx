import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { SchedulePreview } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { type ReactElement, useEffect, useState } from "react";
import { inZone } from "./in-zone.ts";

const ZONES = Intl.supportedValuesOf("timeZone");
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface ScheduleFieldsProps {
  config: JsonObject;
  /** `valid` is false until the words were read by the server. */
  onChange: (config: JsonObject, valid: boolean) => void;
}

/** A schedule in words, said back in exact terms before it is saved; not valid until it was read. */
export function ScheduleFields({ config, onChange }: ScheduleFieldsProps): ReactElement {
  const saved = typeof config.cron === "string" ? config.cron : typeof config.at === "string" ? config.at : "";
  const [text, setText] = useState(saved);
  const [timezone, setTimezone] = useState(typeof config.timezone === "string" ? config.timezone : HERE);
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { cron: _, at: __, timezone: ___, ...others } = config;

  // Asked again when what was typed changes, not when the answer comes.
  useEffect(() => {
    if (text.trim() === "") {
      setPreview(null);
      setFailure(null);
      return;
    }
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const { json } = await api("schedules/preview", { method: "POST", body: { text, timezone } });
        if (!current) return;
        const read = json as SchedulePreview; // cast: the answer of that route
        setPreview(read);
        setFailure(null);
        const when: JsonObject = read.cron === null ? { at: read.at } : { cron: read.cron };
        onChange({ ...others, ...when, timezone }, true);
      } catch (error) {
        if (!current) return;
        setPreview(null);
        setFailure(error);
        onChange(config, false);
      }
    }, 300);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, timezone]);

  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "2fr 1fr" } }}>
        <TextField
          label={t("When")}
          required
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onChange(config, false);
          }}
          helperText={t("every weekday at 8:30 · first friday of the month at 9:00 · tomorrow 9am · 0 9 * * MON-FRI")}
        />
        <TextField
          select
          label={t("Time zone")}
          value={timezone}
          onChange={(event) => {
            setTimezone(event.target.value);
            onChange(config, false);
          }}
        >
          {(ZONES.includes(timezone) ? ZONES : [timezone, ...ZONES]).map((zone) => (
            <MenuItem key={zone} value={zone}>
              {zone}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("This is not a schedule")} />}
      {preview === null ? null : (
        <Alert severity="info" icon={false}>
          <Box sx={{ fontWeight: 600 }}>{preview.says}</Box>
          <Box component="ol" aria-label={t("The next instants")} sx={{ m: 0, mt: 0.5, pl: 2.5, fontSize: 13 }}>
            {preview.next.map((instant) => (
              <li key={instant}>{inZone(instant, timezone)}</li>
            ))}
          </Box>
        </Alert>
      )}
      <TextField
        select
        label={t("Missed runs")}
        value={typeof config.misfire === "string" ? config.misfire : "once"}
        onChange={(event) => onChange({ ...config, misfire: event.target.value }, preview !== null)}
      >
        <MenuItem value="once">{t("One run for the latest")}</MenuItem>
        <MenuItem value="all">{t("A run for each, up to the latest ten")}</MenuItem>
        <MenuItem value="skip">{t("Nothing")}</MenuItem>
      </TextField>
    </Box>
  );
}
