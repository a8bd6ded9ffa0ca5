import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import RefreshRounded from "@mui/icons-material/RefreshRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { ApiConnection } from "@oven/contract/api";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router-dom";
import { AccountOwners } from "../accounts/account-owners.tsx";
import { STATUS_LOOK, toOperationWords } from "./connection-words.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { OperationList } from "./operation-list.tsx";

const PARENT = { to: "/api-connections", label: t("Connected APIs") };

export function ApiConnectionShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: connection, error, refetch } = useRecord<ApiConnection>("api-connections", id);
  if (error) {
    return (
      <>
        <PageHeader title={t("Connection {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This connection could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (connection === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedConnection connection={connection} refetch={refetch} />;
}

function LoadedConnection({ connection, refetch }: { connection: ApiConnection; refetch: () => void }): ReactElement {
  const { status, lastError, document, serverUrl, operations } = connection;
  const proposed: unknown = useLocation().state?.proposed;
  return (
    <>
      <PageHeader
        title={connection.title ?? connection.name}
        parent={PARENT}
        badges={<ToneChip {...STATUS_LOOK[status]} />}
        line={
          <span>
            {serverUrl}
            {` · ${toOperationWords(operations)} · `}
            {tx("read {{time}}", { time: <RelativeTime at={connection.readAt} /> })}
          </span>
        }
        actions={<Actions connection={connection} reload={refetch} />}
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
        {lastError === null ? null : (
          <Alert severity="error">
            {lastError}
            {connection.nextCheckAt === null ? null : (
              <> {tx("It is read again {{time}}.", { time: <RelativeTime at={connection.nextCheckAt} /> })}</>
            )}
          </Alert>
        )}
        {status === "sign-in" ? (
          <Alert severity="warning">{t("Its account is not signed in, so its operations cannot be called yet.")}</Alert>
        ) : null}
        {document.notes.map((note) => (
          <Alert key={note} severity="info">
            {note}
          </Alert>
        ))}
        <OperationList
          connection={connection}
          proposed={Array.isArray(proposed) ? proposed.map(String) : []}
          onChanged={refetch}
        />
        {connection.auth.type === "oauth" ? <RedirectAddress connection={connection} /> : null}
        {connection.accounts === "own" ? <AccountOwners connection={connection} /> : null}
        <HowToUse connection={connection} />
      </Box>
    </>
  );
}

/** What the service must be given when OVEN is registered there. */
function RedirectAddress({ connection }: { connection: ApiConnection }): ReactElement {
  return (
    <Panel title={t("Address for sign-ins")}>
      <Typography variant="body2" color="text.secondary" sx={{ mb: 1.5 }}>
        {t("Register this address at the service as the one to which it sends people back.")}
      </Typography>
      <CodeBlock
        text={`${window.location.origin}/api/api-connections/${connection.id}/sign-in`}
        what={t("the address")}
      />
    </Panel>
  );
}

function Actions({ connection, reload }: { connection: ApiConnection; reload: () => void }): ReactElement | null {
  const { id, auth, status, enabled, sourceUrl, accounts, signedIn } = connection;
  const [mayUpdate, mayDelete] = [useCan("api-connections.update"), useCan("api-connections.delete")];
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const refresh = useAction(async () => {
    await api(`api-connections/${id}/refresh`, { method: "POST", body: {} });
    reload();
  });
  const signIn = useAction(async () => {
    const { json } = await api(`api-connections/${id}/authorize`, { method: "POST", body: {} });
    window.location.assign((json as { url: string }).url); // cast: the shape of the route
  });
  const signOut = useAction(async () => {
    await api(`api-connections/${id}/accounts/0`, { method: "DELETE" });
    reload();
  });
  if (!mayUpdate) return null;
  const failure = refresh.failure ?? signIn.failure ?? signOut.failure;
  return (
    <>
      {auth.type === "oauth" && accounts === "shared" ? (
        <Button
          variant={status === "sign-in" ? "contained" : "outlined"}
          loading={signIn.busy}
          onClick={() => void signIn.run()}
        >
          {t("Sign in")}
        </Button>
      ) : null}
      {signedIn === true ? (
        <Button variant="outlined" loading={signOut.busy} onClick={() => void signOut.run()}>
          {t("Sign out there")}
        </Button>
      ) : null}
      {sourceUrl === null ? null : (
        <Button
          variant="outlined"
          startIcon={<RefreshRounded />}
          disabled={!enabled}
          loading={refresh.busy}
          onClick={() => void refresh.run()}
        >
          {t("Read again")}
        </Button>
      )}
      <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setEditing(true)}>
        {t("Edit")}
      </Button>
      {mayDelete ? (
        <Button variant="outlined" color="error" startIcon={<DeleteOutlineRounded />} onClick={() => setDeleting(true)}>
          {t("Delete")}
        </Button>
      ) : null}
      {failure === null ? null : <ErrorPanel error={failure} title={t("That did not work")} />}
      {editing ? (
        <EditDialog
          connection={connection}
          onClose={(saved) => {
            setEditing(false);
            if (saved) reload();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={deleting}
        title={t("Delete the connection “{{name}}”?", { name: connection.name })}
        text={t("Steps and agents that name its operations fail from then on. Its approvals and accounts are gone.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api(`api-connections/${id}`, { method: "DELETE" });
          navigate("/api-connections");
        }}
      />
    </>
  );
}

function HowToUse({ connection }: { connection: ApiConnection }): ReactElement {
  const example = { src: "agent.toolLoop", input: { prompt: "…", tools: [`api.${connection.name}.*`] } };
  return (
    <Panel title={t("Use it in an agent")}>
      <Typography variant="body2" color="text.secondary" sx={{ mb: 1.5 }}>
        {tx(
          "Name an approved operation, or all of them with {{pattern}}, in an agent's tools or in a step. Without a model: the step “API operation”.",
          { pattern: <code>api.{connection.name}.*</code> },
        )}
      </Typography>
      <CodeBlock text={JSON.stringify({ invoke: example }, null, 2)} what={t("the example")} />
    </Panel>
  );
}
