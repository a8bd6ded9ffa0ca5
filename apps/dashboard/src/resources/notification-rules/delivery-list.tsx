import OutboxOutlined from "@mui/icons-material/OutboxOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { NotificationDelivery } from "@oven/contract";
import type { ReactElement } from "react";
import { ListBase, useListContext, useRefresh } from "react-admin";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "../../components/list-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "../../components/row-item.tsx";
import { ToneChip } from "../../components/status-chip.tsx";
import { useAction } from "../../components/use-action.ts";
import { useCan } from "../../components/use-can.ts";
import { api } from "../../providers/api-client.ts";

const STATES = [
  { label: "To be sent", value: "pending" },
  { label: "Sent", value: "sent" },
  { label: "Skipped", value: "skipped" },
  { label: "Failed", value: "failed" },
];
const CHANNELS = [
  { label: "E-mail", value: "email" },
  { label: "Webhook", value: "webhook" },
  { label: "Slack", value: "slack" },
];
const LOOKS = {
  pending: { tone: "queued", word: "to be sent" },
  sent: { tone: "completed", word: "sent" },
  skipped: { tone: "stopped", word: "skipped" },
  failed: { tone: "failed", word: "failed" },
} as const;

/** The messages that left OVEN, or are to. */
export function NotificationDeliveryList(): ReactElement {
  return (
    <ListBase resource="notification-deliveries" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title="Sent messages"
        parent={{ to: "/notification-rules", label: "Notification rules" }}
        line="E-mail, webhooks and Slack. What is not taken is tried again eight times."
      />
      <ListBody
        noun="messages"
        filters={
          <>
            <SearchField label="Search recipient or subject" />
            <FilterChips field="status" label="State" choices={STATES} />
            <FilterChips field="channel" label="Channel" choices={CHANNELS} />
          </>
        }
        empty={
          <EmptyState
            icon={<OutboxOutlined />}
            title="Nothing was sent yet"
            text="Messages of your rules appear here."
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
      {failure === null ? null : <ErrorPanel error={failure} title="The message was not sent anew" />}
      <RowList label="Sent messages">
        {(data ?? []).map((delivery) => (
          <RowItem key={delivery.id}>
            <RowPart basis={260} grow={2}>
              <Box sx={{ fontWeight: 600 }}>{delivery.subject}</Box>
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                {CHANNELS.find(({ value }) => value === delivery.channel)?.label} to {delivery.recipient}
              </Box>
            </RowPart>
            <RowPart basis={220} grow={1} quiet>
              {delivery.reason ?? (delivery.replayOf === null ? "" : `again, as ${delivery.replayOf}`)}
              {delivery.attempts > 1 ? <Box>{delivery.attempts} attempts</Box> : null}
            </RowPart>
            <RowPart basis={110} quiet>
              <RelativeTime at={delivery.sentAt ?? delivery.createdAt} />
            </RowPart>
            <ToneChip {...LOOKS[delivery.status]} />
            {mayReplay && delivery.status !== "pending" ? (
              <Button
                size="small"
                disabled={busy}
                aria-label={`Send again: ${delivery.subject}`}
                onClick={() => void run(delivery.id)}
              >
                Send again
              </Button>
            ) : null}
          </RowItem>
        ))}
      </RowList>
    </>
  );
}
