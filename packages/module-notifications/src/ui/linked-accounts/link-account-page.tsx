import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { AccountLink } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useGetIdentity } from "react-admin";
import { useParams } from "react-router-dom";
import { PROVIDER_WORDS } from "./provider-words.ts";

/** Asks the signed-in person whether an account elsewhere is theirs. Opening the page links nothing. */
export function LinkAccountPage(): ReactElement {
  const { token = "" } = useParams();
  const { identity } = useGetIdentity();
  const [link, setLink] = useState<AccountLink | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    api(`account/linked-accounts/link?token=${encodeURIComponent(token)}`, { signal: leaving.signal })
      // cast: the shape of the answer
      .then(({ json }) => setLink(json as AccountLink))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setFailure(error);
      });
    return () => leaving.abort();
  }, [token]);
  const confirm = useAction(async () => {
    await api("account/linked-accounts", { method: "POST", body: { token } });
    setDone(true);
  });
  return (
    <>
      <PageHeader title={t("Link an account")} line={identity?.email ?? ""} />
      <Box sx={{ maxWidth: 640 }}>
        {failure === null ? null : <ErrorPanel error={failure} title={t("This address links nothing")} />}
        {failure === null && link === null ? <Skeleton height={160} /> : null}
        {link === null ? null : (
          <Panel title={t("Is this account yours?")}>
            <Box sx={{ display: "grid", gap: 2 }}>
              <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
                {PROVIDER_WORDS[link.provider]}: {link.name}
              </Box>
              <Box sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
                {t("Account {{account}} in {{workspace}}", { account: link.account, workspace: link.workspace })}
              </Box>
              {done ? (
                <Alert severity="success">
                  {t("Linked. Press the button of the message again; you can unlink the account on your account page.")}
                </Alert>
              ) : (
                <>
                  <Alert severity="warning">
                    {t(
                      "Every person who can use this account decides reviews in your name. Go on only if you pressed a button there yourself just now; never with an address that another person sent you.",
                    )}
                  </Alert>
                  {confirm.failure === null ? null : (
                    <ErrorPanel error={confirm.failure} title={t("The account was not linked")} />
                  )}
                  <Box>
                    <Button variant="contained" loading={confirm.busy} onClick={() => void confirm.run()}>
                      {t("Yes, link it to me")}
                    </Button>
                  </Box>
                </>
              )}
            </Box>
          </Panel>
        )}
      </Box>
    </>
  );
}
