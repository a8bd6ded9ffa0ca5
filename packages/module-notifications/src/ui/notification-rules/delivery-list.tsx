import OutboxOutlined from "@mui/icons-material/OutboxOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { NotificationDelivery } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext, useRefresh } from "react-admin";

const STATES = [
  { label: t("To be sent"), value: "pending" },
  { label: t("Sent"), value: "sent" },
  { label: t("Skipped"), value: "skipped" },
  { label: t("Failed"), value: "failed" },
];
const CHANNELS = [
  { label: t("E-mail"), value: "email" },
  { label: "Webhook", value: "webhook" },
  { label: "Slack", value: "slack" },
  { label: t("Slack with buttons"), value: "slack-app" },
  { label: "Microsoft Teams", value: "teams" },
];
const LOOKS = {
  pending: { tone: "queued", word: t("to be sent") },
  sent: { tone: "completed", word: t("sent") },
  skipped: { tone: "stopped", word: t("skipped") },
  failed: { tone: "failed", word: t("failed") },
} as const;

/** The messages that left OVEN, or are to. */
export function NotificationDeliveryList(): ReactElement {
  return (
    <ListBase resource="notification-deliveries" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Sent messages")}
        parent={{ to: "/notification-rules", label: t("Notification rules") }}
        line={t("E-mail, webhooks and Slack. What is not taken is tried again eight times.")}
      />
      <ListBody
        noun={t("messages")}
        filters={
          <>
            <SearchField label={t("Search recipient or subject")} />
            <FilterChips field="status" label={t("State")} choices={STATES} />
            <FilterChips field="channel" label={t("Channel")} choices={CHANNELS} />
          </>
        }
        empty={
          <EmptyState
            icon={<OutboxOutlined />}
            title={t("Nothing was sent yet")}
            text={t("Messages of your rules appear here.")}
          />
        }
      >
        <DeliveryRows />
      </ListBody>
    </ListBase>
  );
}

function DeliveryRows(): ReactElement {
  const { data } = useListContext<NotificationDelivery>();
  const mayReplay = useCan("notification-deliveries.replay");
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (id: number) => {
    await api(`notification-deliveries/${id}/replay`, { method: "POST", body: {} });
    refresh();
  });
  return (
    <>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The message was not sent anew")} />}
      <RowList label={t("Sent messages")}>
        {(data ?? []).map((delivery) => (
          <RowItem key={delivery.id}>
            <RowPart basis={260} grow={2}>
              <Box sx={{ fontWeight: 600 }}>{delivery.subject}</Box>
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                {t("{{channel}} to {{recipient}}", {
                  channel: CHANNELS.find(({ value }) => value === delivery.channel)?.label,
                  recipient: delivery.recipient,
                })}
              </Box>
            </RowPart>
            <RowPart basis={220} grow={1} quiet>
              {delivery.reason ??
                (delivery.replayOf === null ? "" : t("again, as {{replayOf}}", { replayOf: delivery.replayOf }))}
              {delivery.attempts > 1 ? <Box>{t("{{count}} attempts", { count: delivery.attempts })}</Box> : null}
            </RowPart>
            <RowPart basis={110} quiet>
              <RelativeTime at={delivery.sentAt ?? delivery.createdAt} />
            </RowPart>
            <ToneChip {...LOOKS[delivery.status]} />
            {mayReplay && delivery.status !== "pending" ? (
              <Button
                size="small"
                disabled={busy}
                aria-label={t("Send again: {{subject}}", { subject: delivery.subject })}
                onClick={() => void run(delivery.id)}
              >
                {t("Send again")}
              </Button>
            ) : null}
          </RowItem>
        ))}
      </RowList>
    </>
  );
}
