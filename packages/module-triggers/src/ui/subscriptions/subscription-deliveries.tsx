import OutboxOutlined from "@mui/icons-material/OutboxOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { EventSubscription, SubscriptionDelivery } from "@oven/contract/trigger";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { ListContextProvider, useListController, useRefresh } from "react-admin";

const LOOKS: Readonly<Record<SubscriptionDelivery["status"], { tone: StatusTone; word: string }>> = {
  pending: { tone: "queued", word: t("to be sent") },
  delivered: { tone: "completed", word: t("taken") },
  dead: { tone: "failed", word: t("given up") },
};
const STATES = [
  { label: t("To be sent"), value: "pending" },
  { label: t("Taken"), value: "delivered" },
  { label: t("Given up"), value: "dead" },
];

/** What was posted to a subscription, what the receiver answered, and what is still due; the newest first. */
export function SubscriptionDeliveries({
  subscription: { id },
  mayReplay,
}: {
  subscription: EventSubscription;
  mayReplay: boolean;
}): ReactElement {
  const list = useListController<SubscriptionDelivery>({
    resource: `event-subscriptions/${id}/deliveries`,
    sort: { field: "id", order: "DESC" },
    perPage: 25,
    disableSyncWithLocation: true,
    storeKey: `subscription-deliveries.${id}`,
    queryOptions: { refetchInterval: 5_000 },
  });
  return (
    <ListContextProvider value={list}>
      <ListBody
        noun={t("deliveries")}
        filters={
          <>
            <SearchField label={t("Search event or message id")} />
            <FilterChips field="status" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<OutboxOutlined />}
            title={t("Nothing was posted yet")}
            text={t("Send an example to see what the receiver answers. Events appear here as they happen.")}
          />
        }
      >
        <RowList label={t("Deliveries")}>
          {(list.data ?? []).map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} mayReplay={mayReplay} />
          ))}
        </RowList>
      </ListBody>
    </ListContextProvider>
  );
}

function Delivery({ delivery, mayReplay }: { delivery: SubscriptionDelivery; mayReplay: boolean }): ReactElement {
  const { id, subscriptionId, event, status, attempts, lastStatus, lastError, nextAttemptAt, replayOf } = delivery;
  const [open, setOpen] = useState(false);
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    await api(`event-subscriptions/${subscriptionId}/deliveries/${id}/replay`, { method: "POST", body: {} });
    refresh();
  });
  return (
    <RowItem>
      <RowPart basis={110}>
        <ToneChip {...LOOKS[status]} />
      </RowPart>
      <RowPart basis={240} grow={1}>
        <Box sx={{ fontWeight: 600 }}>{event}</Box>
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
          {[
            lastError ?? (lastStatus === null ? "" : t("answered {{status}}", { status: lastStatus })),
            attempts > 1 ? t("{{count}} attempts", { count: attempts }) : "",
            replayOf === null ? "" : t("repeats {{replayOf}}", { replayOf }),
          ]
            .filter((part) => part !== "")
            .join(" · ")}
        </Box>
        {status === "pending" && attempts > 0 && nextAttemptAt !== null ? (
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
            {tx("next attempt {{time}}", { time: <RelativeTime at={nextAttemptAt} /> })}
          </Box>
        ) : null}
      </RowPart>
      <RowPart basis={90} quiet>
        <RelativeTime at={delivery.deliveredAt ?? delivery.createdAt} />
      </RowPart>
      <Box>
        <Button
          size="small"
          aria-expanded={open}
          aria-label={open ? t("Hide delivery {{id}}", { id }) : t("Show delivery {{id}}", { id })}
          onClick={() => setOpen(!open)}
        >
          {open ? t("Hide") : t("Show")}
        </Button>
        {mayReplay && status !== "pending" ? (
          <Button
            size="small"
            loading={busy}
            aria-label={t("Send again: delivery {{id}}", { id })}
            onClick={() => void run()}
          >
            {t("Send again")}
          </Button>
        ) : null}
      </Box>
      {open ? (
        <Box sx={{ flexBasis: "100%", minWidth: 0 }}>
          <Box sx={{ fontSize: 12.5, color: "text.secondary", mb: 0.5 }}>
            {t("webhook-id: {{messageId}}", { messageId: delivery.messageId })}
          </Box>
          <JsonView value={delivery.payload} what={t("delivery {{id}}", { id })} />
        </Box>
      ) : null}
      {failure === null ? null : (
        <Box sx={{ flexBasis: "100%" }}>
          <ErrorPanel error={failure} title={t("It was not sent again")} />
        </Box>
      )}
    </RowItem>
  );
}
