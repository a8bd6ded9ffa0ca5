import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import type { A2aConnection } from "../shapes.ts";
import { AgentCardWords } from "./agent-card-words.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { STATE_LOOK } from "./agent-words.ts";
import { ApproveAgentDialog } from "./approve-agent-dialog.tsx";

const PARENT = { to: "/a2a-connections", label: t("Connected agents (A2A)") };

/** One outside agent: its card, and whether it may be asked. */
export function A2aConnectionShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: connection, error, refetch } = useRecord<A2aConnection>("a2a-connections", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Connection {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This connection could not be loaded")} onRetry={refetch} />
      </>
    );
  if (connection === undefined) return <Skeleton variant="rounded" height={360} />;
  const { name, title, url, state, card, lastError } = connection;
  return (
    <>
      <PageHeader
        title={title ?? card?.name ?? name}
        parent={PARENT}
        badges={<ToneChip {...STATE_LOOK[state]} />}
        line={url}
        actions={<Actions connection={connection} reload={refetch} />}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {lastError === null ? null : <Alert severity="error">{lastError}</Alert>}
        {state === "changed" ? (
          <Alert severity="warning">
            {t("The card is not the one that was approved. The agent is not asked until somebody approves it again.")}
          </Alert>
        ) : null}
        {card === null ? null : (
          <Panel title={t("What the agent says about itself")}>
            <AgentCardWords card={card} />
          </Panel>
        )}
        <Panel title={t("Ask it in a workflow")}>
          <AskExample connection={connection} />
        </Panel>
      </Box>
    </>
  );
}

/** A step with an agent that cannot be asked would fail: then the reason stands here instead. */
function AskExample({ connection: { card, approvedCard, toolId } }: { connection: A2aConnection }): ReactElement {
  if (card === null && approvedCard === null)
    return (
      <Alert severity="info">
        {t("The agent was never reached. It can be asked once its card was read and approved.")}
      </Alert>
    );
  if (approvedCard === null) return <Alert severity="info">{t("The agent can be asked once it is approved.")}</Alert>;
  const example = { invoke: { src: "a2a.askAgent", input: { tool: toolId, arguments: { message: "…" } } } };
  return <CodeBlock text={JSON.stringify(example, null, 2)} what={t("the example")} />;
}

function Actions({ connection, reload }: { connection: A2aConnection; reload: () => void }): ReactElement {
  const { id, name, state, enabled, card, approvedCard } = connection;
  const mayUpdate = useCan("a2a-connections.update");
  const mayDelete = useCan("a2a-connections.delete");
  const mayApprove = useCan("a2a-connections.approve");
  const [open, setOpen] = useState<"edit" | "approve" | "delete" | null>(null);
  const navigate = useNavigate();
  const act = useAction(async (what: "refresh" | "withdraw") => {
    await api(`a2a-connections/${id}/${what}`, { method: "POST", body: {} });
    reload();
  });
  const close = (changed: boolean): void => {
    setOpen(null);
    if (changed) reload();
  };
  return (
    <>
      {mayApprove && card !== null && state !== "approved" ? (
        <Button variant="contained" onClick={() => setOpen("approve")}>
          {t("Approve…")}
        </Button>
      ) : null}
      {mayApprove && approvedCard !== null ? (
        <Button variant="outlined" loading={act.busy} onClick={() => void act.run("withdraw")}>
          {t("Withdraw the approval")}
        </Button>
      ) : null}
      {mayUpdate ? (
        <>
          <Button variant="outlined" disabled={!enabled} loading={act.busy} onClick={() => void act.run("refresh")}>
            {t("Refresh")}
          </Button>
          <Button variant="outlined" onClick={() => setOpen("edit")}>
            {t("Edit")}
          </Button>
        </>
      ) : null}
      {mayDelete ? (
        <Button variant="outlined" color="error" onClick={() => setOpen("delete")}>
          {t("Delete")}
        </Button>
      ) : null}
      {act.failure === null ? null : <ErrorPanel error={act.failure} title={t("That did not work")} />}
      {open === "edit" ? <AgentDialog connection={connection} onClose={(saved) => close(saved !== null)} /> : null}
      {open === "approve" ? <ApproveAgentDialog connection={connection} onClose={close} /> : null}
      <ConfirmDialog
        open={open === "delete"}
        title={t("Delete the connection “{{name}}”?", { name })}
        text={t("Steps and agents that ask it fail from then on.")}
        confirmLabel={t("Delete")}
        onClose={() => setOpen(null)}
        onConfirm={async () => {
          await api(`a2a-connections/${id}`, { method: "DELETE" });
          navigate("/a2a-connections");
        }}
      />
    </>
  );
}
