import Button from "@mui/material/Button";
import type { SignInMethods } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { hasPasskeys, usePasskey as signWithPasskey } from "@oven/module-roles/ui/second-factor/browser-passkeys.ts";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useLogin } from "react-admin";
import { useLocation } from "react-router-dom";

/** The ways to sign in beside the password that this server offers, and this browser takes. */
export function OtherWays(): ReactElement {
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  const asked = useAction(async () => {
    // cast: the shape of GET /api/sign-in-methods
    setMethods((await api("sign-in-methods")).json as SignInMethods);
  });
  useEffect(() => void asked.run(), []);
  return (
    <>
      {methods?.passkey === true && hasPasskeys() ? <PasskeyButton /> : null}
      {methods?.oidc === true ? <ProviderButton /> : null}
    </>
  );
}

function PasskeyButton(): ReactElement {
  const login = useLogin();
  const { busy, failure, run } = useAction(async () => {
    const options = await api("auth/sign-in/passkey/options", { method: "POST", body: {} });
    await login({ passkey: await signWithPasskey(options.json) });
  });
  return (
    <>
      <Button variant="outlined" size="large" loading={busy} onClick={() => void run()} sx={{ minHeight: 42 }}>
        {t("Sign in with a passkey")}
      </Button>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The passkey did not sign you in")} />}
    </>
  );
}

/** The way to the organisation's identity provider. */
function ProviderButton(): ReactElement {
  const { state } = useLocation();
  const { busy, failure, run } = useAction(async () => {
    const body = { provider: "oidc", callbackURL: toAsked(state), errorCallbackURL: "/login" };
    const reply = await api("auth/sign-in/social", { method: "POST", body });
    // cast: better-auth answers with the provider's address
    window.location.assign((reply.json as { url: string }).url);
  });
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
