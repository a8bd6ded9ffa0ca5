import Button from "@mui/material/Button";
import type { SignInMethods } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";

/** The way to the organisation's identity provider; nothing when there is none. */
export function ProviderButton(): ReactElement | null {
  const [offered, setOffered] = useState(false);
  const { state } = useLocation();
  const asked = useAction(async () => {
    // cast: the shape of GET /api/sign-in-methods
    setOffered(((await api("sign-in-methods")).json as SignInMethods).oidc);
  });
  const { busy, failure, run } = useAction(async () => {
    const body = { provider: "oidc", callbackURL: toAsked(state), errorCallbackURL: "/login" };
    const reply = await api("auth/sign-in/social", { method: "POST", body });
    // cast: better-auth answers with the provider's address
    window.location.assign((reply.json as { url: string }).url);
  });
  useEffect(() => void asked.run(), []);
  if (!offered) return null;
  return (
    <>
      <Button variant="outlined" size="large" loading={busy} onClick={() => void run()} sx={{ minHeight: 42 }}>
        {t("Sign in with your organisation")}
      </Button>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The identity provider could not be reached")} />}
    </>
  );
}

/** The page that was asked for before the sign-in, as React Admin keeps it. */
function toAsked(state: unknown): string {
  const { nextPathname, nextSearch } = (state ?? {}) as { nextPathname?: string; nextSearch?: string }; // cast: its shape
  const query = new URLSearchParams(nextSearch ?? "").toString();
  return `${nextPathname ?? "/"}${query === "" ? "" : `?${query}`}`;
}
