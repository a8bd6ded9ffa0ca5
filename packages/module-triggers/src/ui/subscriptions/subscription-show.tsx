import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import SendOutlined from "@mui/icons-material/SendOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Skeleton from "@mui/material/Skeleton";
import type { EventSubscription, SubscriptionDelivery } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { EnabledChip } from "@oven/ui/components/workflow-chips.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useRefresh } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { SubscriptionDeliveries } from "./subscription-deliveries.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";

const PARENT = { to: "/event-subscriptions", label: t("Event subscriptions") };

/** One event subscription, and what became of each event that was posted. */
export function SubscriptionShow(): ReactElement {
  const { id = "" } = useParams();
  const { data, error, refetch } = useRecord<EventSubscription>("event-subscriptions", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Event subscription {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This subscription could not be loaded")} onRetry={refetch} />
      </>
    );
  if (data === undefined)
    return (
      <Box role="status" aria-label={t("Loading the subscription")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={320} sx={{ mt: 2 }} />
      </Box>
    );
  return <LoadedSubscription subscription={data} />;
}

function LoadedSubscription({ subscription }: { subscription: EventSubscription }): ReactElement {
  const { id, name, url, events, secret, enabled } = subscription;
  const [opened, setOpened] = useState<"edit" | "delete" | null>(null);
  const [mayUpdate, mayDelete] = [useCan("event-subscriptions.update"), useCan("event-subscriptions.delete")];
  const refresh = useRefresh();
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const [answer, setAnswer] = useState<SubscriptionDelivery | null>(null);
  const testing = useAction(async () => {
    setAnswer(null);
    const { json } = await api(`event-subscriptions/${id}/test`, { method: "POST", body: {} });
    setAnswer(json as SubscriptionDelivery); // cast: 201 carries the delivery
    refresh();
  });
  return (
    <>
      <PageHeader
        title={name}
        parent={PARENT}
        badges={<EnabledChip enabled={enabled} />}
        line={
          <>
            <Box component="span" sx={{ fontFamily: MONOSPACE, overflowWrap: "anywhere" }}>
              {url}
            </Box>
            <span>{events.join(", ")}</span>
            <span>{t("signed with {{secret}}", { secret })}</span>
          </>
        }
        actions={
          <>
            {mayDelete ? (
              <IconButton aria-label={t("Delete {{name}}", { name })} onClick={() => setOpened("delete")}>
                <DeleteOutlineRounded />
              </IconButton>
            ) : null}
            {mayUpdate ? (
              <>
                <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setOpened("edit")}>
                  {t("Edit")}
                </Button>
                <Button
                  variant="contained"
                  startIcon={<SendOutlined />}
                  loading={testing.busy}
                  onClick={() => void testing.run()}
                >
                  {t("Send an example")}
                </Button>
              </>
            ) : null}
          </>
        }
      />
      <Box aria-live="polite" sx={{ "&:not(:empty)": { mb: 2 } }}>
        {testing.failure === null ? (
          answer === null ? null : (
            <TestAnswer answer={answer} />
          )
        ) : (
          <ErrorPanel error={testing.failure} title={t("The example was not sent")} />
        )}
      </Box>
      <SubscriptionDeliveries subscription={subscription} mayReplay={mayUpdate} />
      {opened === "edit" ? (
        <SubscriptionDialog
          subscription={subscription}
          onClose={(saved) => {
            setOpened(null);
            if (saved) refresh();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={opened === "delete"}
        title={t("Delete “{{name}}”?", { name })}
        text={t("Its deliveries go with it, also those that were not sent yet.")}
        confirmLabel={t("Delete")}
        onClose={() => setOpened(null)}
        onConfirm={async () => {
          await dataProvider.delete("event-subscriptions", { id, previousData: subscription });
          void navigate("/event-subscriptions");
        }}
      />
    </>
  );
}

function TestAnswer({ answer: { status, lastStatus, lastError } }: { answer: SubscriptionDelivery }): ReactElement {
  const isTaken = status === "delivered";
  return (
    <Box
      sx={{
        p: 1.5,
        borderRadius: 2,
        fontSize: 13.5,
        overflowWrap: "anywhere",
        bgcolor: isTaken ? "var(--oven-status-completed-soft)" : "var(--oven-status-failed-soft)",
      }}
    >
      {isTaken
        ? t("The receiver took the example and answered {{status}}.", { status: lastStatus })
        : t("The example was not taken: {{reason}}", { reason: lastError ?? lastStatus })}
    </Box>
  );
}
