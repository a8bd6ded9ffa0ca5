import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { ApiAccount } from "@oven/contract/api";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";

/** Where the person may connect an account of their own, for calls that are made as them. */
export function ApiAccountPanel(): ReactElement | null {
  return useCan("api-operations.use") ? <Accounts /> : null;
}

function Accounts(): ReactElement | null {
  const [accounts, setAccounts] = useState<ApiAccount[]>();
  const [search] = useSearchParams();
  const wanted = Number(search.get("connect") ?? 0);
  const { failure, run } = useAction(async () => {
    setAccounts((await api("api-accounts")).json as ApiAccount[]); // cast: the shape of the route
  });
  useEffect(() => void run(), []);
  if (failure !== null)
    return <ErrorPanel error={failure} title={t("Your accounts could not be loaded")} onRetry={() => void run()} />;
  if (accounts === undefined || accounts.length === 0) return null;
  return (
    <Panel title={t("Accounts at connected APIs")} flush>
      <RowList label={t("Accounts at connected APIs")}>
        {accounts.map((account) => (
          <Account
            key={account.connectionId}
            account={account}
            wanted={account.connectionId === wanted && !account.connected}
            reload={() => void run()}
          />
        ))}
      </RowList>
    </Panel>
  );
}

function Account({
  account,
  wanted,
  reload,
}: {
  account: ApiAccount;
  wanted: boolean;
  reload: () => void;
}): ReactElement {
  const { connection, origin, connected, connectedAt, how, connectionId } = account;
  const [asking, setAsking] = useState(wanted && how === "value");
  const place = useRef<HTMLDivElement>(null);
  // The page that led here is about this account.
  useEffect(() => {
    if (wanted) place.current?.scrollIntoView({ block: "center" });
  }, [wanted]);
  const path = `api-connections/${connectionId}/account`;
  const signIn = useAction(async () => {
    const { json } = await api(`${path}/authorize`, { method: "POST", body: {} });
    window.location.assign((json as { url: string }).url); // cast: the shape of the route
  });
  const disconnect = useAction(async () => {
    await api(path, { method: "DELETE" });
    reload();
  });
  const failure = signIn.failure ?? disconnect.failure;
  return (
    <RowItem>
      <RowPart basis={220} grow={1}>
        <Box ref={place} sx={{ fontWeight: 600 }}>
          {connection}
        </Box>
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{origin}</Box>
      </RowPart>
      <RowPart basis={160} quiet>
        {connected && connectedAt !== null
          ? tx("connected {{time}}", { time: <RelativeTime at={connectedAt} /> })
          : t("not connected")}
      </RowPart>
      {connected ? (
        <Button size="small" color="error" disabled={disconnect.busy} onClick={() => void disconnect.run()}>
          {t("Disconnect")}
        </Button>
      ) : null}
      <Button
        size="small"
        variant={wanted ? "contained" : "outlined"}
        loading={signIn.busy}
        aria-label={t("Connect {{connection}}", { connection })}
        onClick={() => (how === "oauth" ? void signIn.run() : setAsking(true))}
      >
        {connected ? t("Connect again") : t("Connect")}
      </Button>
      {failure === null ? null : <ErrorPanel error={failure} title={t("That did not work")} />}
      {asking ? (
        <KeyDialog
          account={account}
          path={path}
          onClose={(saved) => {
            setAsking(false);
            if (saved) reload();
          }}
        />
      ) : null}
    </RowItem>
  );
}

function KeyDialog({
  account,
  path,
  onClose,
}: {
  account: ApiAccount;
  path: string;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [value, setValue] = useState("");
  return (
    <FormDialog
      title={t("Connect your account at {{connection}}", { connection: account.connection })}
      submitLabel={t("Connect")}
      failureTitle={t("The account was not connected")}
      usable={value.trim() !== ""}
      onSubmit={async () => {
        await api(path, { method: "PUT", body: { value: value.trim() } });
        onClose(true);
      }}
      onClose={() => onClose(false)}
    >
      <TextField
        autoFocus
        required
        type="password"
        autoComplete="off"
        label={t("Your key or token")}
        helperText={t("It is sealed, sent to {{origin}} only, and used for runs that you start.", {
          origin: account.origin,
        })}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </FormDialog>
  );
}
