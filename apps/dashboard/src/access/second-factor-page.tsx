import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Passkey, SecondFactor } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { AddPasskeyDialog } from "@oven/module-roles/ui/second-factor/add-passkey-dialog.tsx";
import { hasPasskeys } from "@oven/module-roles/ui/second-factor/browser-passkeys.ts";
import { SetUpApp } from "@oven/module-roles/ui/second-factor/set-up-app.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { Authenticated, useLogout } from "react-admin";
import { useSearchParams } from "react-router-dom";
import { AccessFrame } from "./access-frame.tsx";

/** Where those land whose roles demand a second factor, until they have one. */
export function SecondFactorPage(): ReactElement {
  return (
    <Authenticated>
      <AccessFrame
        title={t("Set up a second factor")}
        text={t("A role of yours demands one beside the password. Until then nothing else is open.")}
      >
        <SetUp />
      </AccessFrame>
    </Authenticated>
  );
}

function SetUp(): ReactElement {
  const [search] = useSearchParams();
  const logout = useLogout();
  const { data: factor, error } = useAnswer<SecondFactor>("account/second-factor");
  const { data: passkeys } = useAnswer<Passkey[]>("account/passkeys");
  const [adding, setAdding] = useState(false);
  // A fresh start: what was refused before is asked again.
  const goOn = (): void => window.location.assign(toOwnPage(search.get("next")));
  if (error !== null) return <ErrorPanel error={error} title={t("This could not be loaded")} />;
  if (factor === undefined || passkeys === undefined) return <Skeleton height={160} />;
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
      {factor.session || !factor.demanded ? (
        <>
          <Alert severity="success">{t("This session has what your roles demand.")}</Alert>
          <Button variant="contained" onClick={goOn}>
            {t("Continue")}
          </Button>
        </>
      ) : passkeys.length > 0 ? (
        <Alert severity="info">{t("You have a passkey: sign out, and sign in with it.")}</Alert>
      ) : (
        <>
          <SetUpApp factor={factor} onDone={goOn} />
          {hasPasskeys() ? (
            <Button variant="outlined" onClick={() => setAdding(true)}>
              {t("Use a passkey instead")}
            </Button>
          ) : null}
          {adding ? <AddPasskeyDialog factor={factor} onClose={() => setAdding(false)} onMade={goOn} /> : null}
        </>
      )}
      <Button onClick={() => void logout()}>{t("Sign out")}</Button>
    </Box>
  );
}

/** A page of this dashboard, whatever the address says. */
function toOwnPage(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/";
}
