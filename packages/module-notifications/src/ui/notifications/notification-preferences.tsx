import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Skeleton from "@mui/material/Skeleton";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { NotificationKind, NotificationPreferences } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from "react";
import { KIND_WORDS, KINDS } from "./kind-words.ts";

const NIGHT = { from: "22:00", to: "07:00" };
const DIGESTS = [
  { value: "none", label: t("Each on its own") },
  { value: "hourly", label: t("Once an hour") },
  { value: "daily", label: t("Once a day, at 08:00") },
];
const TIMEZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** A person's choice of notifications, if they get any. */
export function NotificationPanel(): ReactElement | null {
  return useCan("notifications.read") ? <NotificationPreferencesForm /> : null;
}

/** What one wants to be told, which way, and when. */
function NotificationPreferencesForm(): ReactElement {
  const [wishes, setWishes] = useState<NotificationPreferences | null>(null);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const load = useCallback(async (): Promise<void> => {
    setFailure(null);
    try {
      // cast: the shape of GET /api/notification-preferences
      setWishes((await api("notification-preferences")).json as NotificationPreferences);
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => void load(), [load]);
  const save = useAction(async () => {
    setDone(false);
    await api("notification-preferences", { method: "PUT", body: wishes });
    setDone(true);
  });
  const change = (more: Partial<NotificationPreferences>): void => {
    setDone(false);
    setWishes((current) => (current === null ? null : { ...current, ...more }));
  };
  return (
    <Panel title={t("Notifications")}>
      {failure === null ? null : (
        <ErrorPanel error={failure} title={t("Your wishes could not be loaded")} onRetry={() => void load()} />
      )}
      {wishes === null ? (
        <Skeleton height={120} />
      ) : (
        <Box
          component="form"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void save.run();
          }}
          sx={{ display: "grid", gap: 2 }}
        >
          <Kinds wishes={wishes} onChange={(kinds) => change({ kinds })} />
          <QuietHours wishes={wishes} onChange={change} />
          {save.failure === null ? null : <ErrorPanel error={save.failure} title={t("Your wishes were not saved")} />}
          {done ? <Alert severity="success">{t("Your wishes were saved.")}</Alert> : null}
          <Box>
            <Button type="submit" variant="contained" loading={save.busy}>
              {t("Save your wishes")}
            </Button>
          </Box>
        </Box>
      )}
    </Panel>
  );
}

function Kinds({
  wishes,
  onChange,
}: {
  wishes: NotificationPreferences;
  onChange: (kinds: NotificationPreferences["kinds"]) => void;
}): ReactElement {
  const of = (kind: NotificationKind) => wishes.kinds[kind] ?? { inApp: true, email: true };
  return (
    <Box role="group" aria-label={t("What to be told")} sx={{ display: "grid", gap: 0.25 }}>
      {KINDS.map((kind) => (
        <Box key={kind} sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 2 }}>
          <Box sx={{ flex: { xs: "1 1 100%", sm: "1 1 200px" }, fontSize: 14 }}>{KIND_WORDS[kind]}</Box>
          {(["inApp", "email"] as const).map((channel) => (
            <FormControlLabel
              key={channel}
              label={channel === "inApp" ? t("here") : t("by e-mail")}
              control={
                <Checkbox
                  size="small"
                  checked={of(kind)[channel]}
                  slotProps={{
                    input: { "aria-label": `${KIND_WORDS[kind]}: ${channel === "inApp" ? "here" : "by e-mail"}` },
                  }}
                  onChange={(_, checked) => onChange({ ...wishes.kinds, [kind]: { ...of(kind), [channel]: checked } })}
                />
              }
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}

function QuietHours({
  wishes,
  onChange,
}: {
  wishes: NotificationPreferences;
  onChange: (more: Partial<NotificationPreferences>) => void;
}): ReactElement {
  const { quietHours, timezone, digest } = wishes;
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
        <TextField
          select
          label={t("E-mail comes")}
          value={digest}
          // cast: one of the choices
          onChange={(event) => onChange({ digest: event.target.value as NotificationPreferences["digest"] })}
          sx={{ flex: "1 1 200px" }}
        >
          {DIGESTS.map(({ value, label }) => (
            <MenuItem key={value} value={value}>
              {label}
            </MenuItem>
          ))}
        </TextField>
        <TextField
          select
          label={t("Your time zone")}
          value={timezone}
          onChange={(event) => onChange({ timezone: event.target.value })}
          sx={{ flex: "1 1 200px" }}
          slotProps={{ select: { native: true } }}
        >
          {(TIMEZONES.includes(timezone) ? TIMEZONES : [timezone, ...TIMEZONES]).map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </TextField>
      </Box>
      <FormControlLabel
        label={t("Quiet hours: e-mail waits until they end")}
        control={
          <Switch
            checked={quietHours !== null}
            onChange={(_, checked) => onChange({ quietHours: checked ? NIGHT : null })}
          />
        }
      />
      {quietHours === null ? null : (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
          {(["from", "to"] as const).map((end) => (
            <TextField
              key={end}
              type="time"
              required
              label={end === "from" ? t("Quiet from") : t("Quiet until")}
              value={quietHours[end]}
              onChange={(event) => onChange({ quietHours: { ...quietHours, [end]: event.target.value } })}
              slotProps={{ inputLabel: { shrink: true } }}
              sx={{ width: 150 }}
            />
          ))}
        </Box>
      )}
    </>
  );
}
