import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import type { Role, Session } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";

/** Whether people with this role need a second factor. Built-in roles have it too, for this tenant. */
export function SecondFactorDemand({ role, mayChange }: { role: Role; mayChange: boolean }): ReactElement {
  const [required, setRequired] = useState(role.requiresSecondFactor);
  const { busy, failure, run } = useAction(async (wanted: boolean) => {
    const reply = await api(`roles/${role.id}/second-factor`, { method: "PUT", body: { required: wanted } });
    setRequired((reply.json as Role).requiresSecondFactor); // cast: the shape of the route
    // It may hold for the person who has demanded it, too.
    const session = (await api("session")).json as Session; // cast: the shape of the route
    if (session.secondFactorNeeded) window.location.assign(`/second-factor?next=/roles/${role.id}`);
  });
  return (
    <Panel sx={{ mb: 2 }}>
      <FormControlLabel
        control={
          <Switch checked={required} disabled={!mayChange || busy} onChange={(_, checked) => void run(checked)} />
        }
        label={t("Demand a second factor")}
      />
      <Box sx={{ fontSize: 13, color: "text.secondary", mt: 0.5 }}>
        {t(
          "People with this role then work only after a code of an app, a passkey, or your identity provider. It holds at once, also for you and for sessions that are open; API keys stay as they are.",
        )}
      </Box>
      {failure === null ? null : (
        <Box sx={{ mt: 2 }}>
          <ErrorPanel error={failure} title={t("This was not changed")} />
        </Box>
      )}
    </Panel>
  );
}
