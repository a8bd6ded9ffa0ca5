import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { LinkedAccount } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { PROVIDER_WORDS } from "./provider-words.ts";

/** A person's accounts in messengers that decide in their name, with a way to unlink each. */
export function LinkedAccountPanel(): ReactElement | null {
  return useCan("notifications.read") ? <LinkedAccounts /> : null;
}

function LinkedAccounts(): ReactElement {
  const [accounts, setAccounts] = useState<LinkedAccount[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [removing, setRemoving] = useState<LinkedAccount | null>(null);
  const load = useCallback(async (): Promise<void> => {
    setFailure(null);
    try {
      // cast: the shape of GET /api/account/linked-accounts
      setAccounts((await api("account/linked-accounts")).json as LinkedAccount[]);
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => void load(), [load]);
  return (
    <Panel title={t("Linked accounts")} flush>
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel
            error={failure}
            title={t("The linked accounts could not be loaded")}
            onRetry={() => void load()}
          />
        </Box>
      )}
      {accounts === null ? (
        <Skeleton height={80} sx={{ mx: 2 }} />
      ) : accounts.length === 0 ? (
        <Box sx={{ p: 2, color: "text.secondary" }}>
          {t("None. Press a button of a review's message in a messenger to link your account there.")}
        </Box>
      ) : (
        <RowList label={t("Linked accounts")}>
          {accounts.map((account) => (
            <RowItem key={account.id}>
              <RowPart basis={200} grow={1}>
                <Box sx={{ fontWeight: 600 }}>
                  {PROVIDER_WORDS[account.provider]}: {account.name}
                </Box>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                  {t("Account {{account}} in {{workspace}}", {
                    account: account.account,
                    workspace: account.workspace,
                  })}
                </Box>
              </RowPart>
              <RowPart basis={150} quiet>
                {tx("linked {{time}}", { time: <RelativeTime at={account.createdAt} /> })}
              </RowPart>
              <Button size="small" color="error" onClick={() => setRemoving(account)}>
                {t("Unlink")}
              </Button>
            </RowItem>
          ))}
        </RowList>
      )}
      {removing === null ? null : (
        <ConfirmDialog
          open
          title={t("Unlink the account {{name}}?", { name: removing.name })}
          text={t("It decides nothing in your name from now on.")}
          confirmLabel={t("Unlink")}
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await api(`account/linked-accounts/${removing.id}`, { method: "DELETE" });
            await load();
          }}
        />
      )}
    </Panel>
  );
}
