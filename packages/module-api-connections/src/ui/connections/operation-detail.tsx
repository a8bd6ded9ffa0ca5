import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { TriedTool } from "@oven/contract/agent";
import type { ApiConnection, ApiConnectionOperation, ApiConnectionOperationDetail } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApprovalFirst } from "@oven/ui/components/approval-first.tsx";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { SchemaNotes } from "@oven/ui/components/schema-notes.tsx";
import { TryTool } from "@oven/ui/components/try-tool.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useEffect, useState } from "react";

interface Props {
  connection: ApiConnection;
  operation: ApiConnectionOperation;
  onApprove: () => void;
  onChanged: () => void;
}

/** All that is pinned of an operation, what became of its approval, and a form to try it. */
export function OperationDetail(props: Props): ReactElement {
  const { operation } = props;
  const { connectionId, id, hash, state } = operation;
  const path = `api-connections/${connectionId}/operations/${id}`;
  const [detail, setDetail] = useState<ApiConnectionOperationDetail>();
  const { failure, run } = useAction(async () => {
    setDetail((await api(path)).json as ApiConnectionOperationDetail); // cast: the shape of the route
  });
  useEffect(() => void run(), [path, hash, state, operation.approvedAt]);
  if (failure !== null)
    return <ErrorPanel error={failure} title={t("The operation could not be loaded")} onRetry={() => void run()} />;
  if (detail === undefined) return <Skeleton variant="rounded" height={160} sx={{ mx: 2, mb: 2 }} />;
  return <Loaded {...props} detail={detail} path={path} />;
}

function Loaded({
  connection,
  detail,
  path,
  onApprove,
  onChanged,
}: Props & { detail: ApiConnectionOperationDetail; path: string }): ReactElement {
  const { listed, approved, state, toolId, name } = detail;
  return (
    <Box sx={{ display: "grid", gap: 1.5, px: 2, pb: 2 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, fontFamily: MONOSPACE, fontSize: 12.5 }}>
        <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>{toolId}</Box>
        <CopyButton text={toolId} what={t("the operation's name")} small />
      </Box>
      <Typography variant="body2" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {listed.description === "" ? t("The document gives no description.") : listed.description}
      </Typography>
      {approved === null ? null : (
        <Typography variant="body2" color="text.secondary">
          {!detail.needsApproval
            ? t("Calls are made without asking.")
            : detail.approvalWhen === null
              ? t("Each call is asked for first.")
              : t("A call is asked for first where this holds: {{condition}}", { condition: detail.approvalWhen })}
        </Typography>
      )}
      {state === "changed" && approved !== null ? (
        <Box>
          <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>
            {t("Since it was approved")}
          </Box>
          <ChangeList before={approved} after={listed} />
        </Box>
      ) : null}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        <JsonView value={listed.inputSchema} what={t("the input schema")} maxHeight={260} />
        {listed.outputSchema === null ? null : (
          <JsonView value={listed.outputSchema} what={t("the output schema")} maxHeight={260} />
        )}
      </Box>
      {listed.notes.map((note) => (
        <Typography key={note} variant="body2" color="text.secondary">
          {note}
        </Typography>
      ))}
      <SchemaNotes notes={detail.notes} />
      <Approvals detail={detail} path={path} onApprove={onApprove} onChanged={onChanged} />
      {state === "approved" && connection.enabled && approved !== null ? (
        detail.needsApproval && detail.approvalWhen === null ? (
          <ApprovalFirst />
        ) : (
          <TryTool
            schema={approved.inputSchema}
            name={name}
            effect={listed.reads ? "pure" : detail.effect}
            call={async (args) => {
              const { json } = await api(`${path}/try`, { method: "POST", body: { arguments: args } });
              return json as TriedTool; // cast: the shape of the route
            }}
          />
        )
      ) : null}
    </Box>
  );
}

function Approvals({
  detail,
  path,
  onApprove,
  onChanged,
}: Pick<Props, "onApprove" | "onChanged"> & {
  detail: ApiConnectionOperationDetail;
  path: string;
}): ReactElement | null {
  const mayApprove = useCan("api-connections.approve");
  const { busy, failure, run } = useAction(async () => {
    await api(`${path}/withdraw`, { method: "POST", body: {} });
    onChanged();
  });
  if (!mayApprove) return null;
  const { state, approved, name } = detail;
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {state === "new" || state === "changed" ? (
        <Button variant="contained" aria-label={t("Approve {{name}}", { name })} onClick={onApprove}>
          {t("Approve…")}
        </Button>
      ) : null}
      {state === "approved" ? (
        <Button variant="outlined" aria-label={t("Change how {{name}} may be called", { name })} onClick={onApprove}>
          {t("Change…")}
        </Button>
      ) : null}
      {approved === null ? null : (
        <Button
          variant="outlined"
          color="error"
          aria-label={t("Take back the approval of {{name}}", { name })}
          loading={busy}
          onClick={() => void run()}
        >
          {t("Take back")}
        </Button>
      )}
      {failure === null ? null : <ErrorPanel error={failure} title={t("The approval was not taken back")} />}
    </Box>
  );
}
