import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import type { Bot } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { BotDialog } from "./bot-dialog.tsx";
import { lookOf, MESSENGERS, whoIsAnswered } from "./bot-words.ts";
import { SetupSteps } from "./setup-steps.tsx";

const PARENT = { to: "/bots", label: t("Bots") };

/** One bot: who answers for it, and how it is set up at the messenger. */
export function BotShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: bot, error, refetch } = useRecord<Bot>("bots", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Bot {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This bot could not be loaded")} onRetry={refetch} />
      </>
    );
  if (bot === undefined) return <Skeleton variant="rounded" height={360} />;
  const { name, connection, targetName, lastError } = bot;
  return (
    <>
      <PageHeader
        title={name}
        parent={PARENT}
        badges={<ToneChip {...lookOf(bot)} />}
        line={`${MESSENGERS[connection.type]} · ${targetName ?? t("nothing answers")} · ${whoIsAnswered(bot)}`}
        actions={<Actions bot={bot} reload={refetch} />}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {lastError === null ? null : (
          <Alert severity="error">{t("What went wrong last: {{reason}}", { reason: lastError })}</Alert>
        )}
        {targetName === null ? (
          <Alert severity="warning">
            {t("The agent or workflow is gone, switched off, or not yours to see. Choose another one.")}
          </Alert>
        ) : null}
        <Panel title={t("Set up in {{messenger}}", { messenger: MESSENGERS[connection.type] })}>
          <SetupSteps bot={bot} />
        </Panel>
      </Box>
    </>
  );
}

function Actions({ bot, reload }: { bot: Bot; reload: () => void }): ReactElement {
  const { id, name } = bot;
  const mayUpdate = useCan("bots.update");
  const mayDelete = useCan("bots.delete");
  const [open, setOpen] = useState<"edit" | "test" | "delete" | null>(null);
  const navigate = useNavigate();
  const close = (changed: boolean): void => {
    setOpen(null);
    if (changed) reload();
  };
  return (
    <>
      {mayUpdate ? (
        <>
          <Button variant="outlined" onClick={() => setOpen("test")}>
            {t("Test message…")}
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
      {open === "edit" ? <BotDialog bot={bot} onClose={(saved) => close(saved !== null)} /> : null}
      {open === "test" ? <TestDialog bot={bot} onClose={close} /> : null}
      <ConfirmDialog
        open={open === "delete"}
        title={t("Delete the bot “{{name}}”?", { name })}
        text={t("It answers nothing from then on. Its conversations and runs stay.")}
        confirmLabel={t("Delete")}
        onClose={() => setOpen(null)}
        onConfirm={async () => {
          await api(`bots/${id}`, { method: "DELETE" });
          navigate("/bots");
        }}
      />
    </>
  );
}

function TestDialog({ bot, onClose }: { bot: Bot; onClose: (sent: boolean) => void }): ReactElement {
  const [conversation, setConversation] = useState("");
  return (
    <FormDialog
      title={t("Post a test message")}
      submitLabel={t("Post")}
      failureTitle={t("The message was not posted")}
      usable={conversation.trim() !== ""}
      onSubmit={async () => {
        await api(`bots/${bot.id}/test`, { method: "POST", body: { conversation: conversation.trim() } });
        onClose(true);
      }}
      onClose={() => onClose(false)}
    >
      <TextField
        required
        autoFocus
        label={t("Id of the channel or person")}
        helperText={t("One id, such as C0123ABCD or 19:…@thread.tacv2")}
        value={conversation}
        onChange={(event) => setConversation(event.target.value)}
      />
    </FormDialog>
  );
}
