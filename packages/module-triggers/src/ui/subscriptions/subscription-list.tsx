import PodcastsRounded from "@mui/icons-material/PodcastsRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { EventSubscription } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { EnabledChip } from "@oven/ui/components/workflow-chips.tsx";
import type { ReactElement } from "react";
import { ListBase, useListContext, useRefresh } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { SubscriptionDialog } from "./subscription-dialog.tsx";

const STATES = [
  { label: t("On"), value: true },
  { label: t("Off"), value: false },
];

/** Other services that events are posted to. */
export function SubscriptionList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("New subscription"), useCan("event-subscriptions.create"), (close) => (
    <SubscriptionDialog
      subscription={null}
      onClose={(saved, made) => {
        close(saved);
        if (made !== undefined) void navigate(`/event-subscriptions/${made.id}/show`);
      }}
    />
  ));
  return (
    <ListBase resource="event-subscriptions" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Event subscriptions")}
        line={t("Other services that events are posted to, signed, and again until they are taken.")}
        actions={create.button}
      />
      <ListBody
        noun={t("subscriptions")}
        filters={
          <>
            <SearchField label={t("Search name or address")} />
            <FilterChips field="enabled" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<PodcastsRounded />}
            title={t("No subscriptions yet")}
            text={t("Make one to tell another service when a run ends, a review opens, or a workflow emits an event.")}
            action={create.button}
          />
        }
      >
        <SubscriptionRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function SubscriptionRows(): ReactElement {
  const { data } = useListContext<EventSubscription>();
  const mayUpdate = useCan("event-subscriptions.update");
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async ({ id, enabled }: EventSubscription) => {
    await api(`event-subscriptions/${id}`, { method: "PUT", body: { enabled: !enabled } });
    refresh();
  });
  return (
    <>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The subscription was not switched")} />}
      <RowList label={t("Event subscriptions")}>
        {(data ?? []).map((subscription) => {
          const { id, name, url, events, enabled } = subscription;
          return (
            <RowItem key={id}>
              <RowPart basis={240} grow={1}>
                <Link component={RouterLink} to={`/event-subscriptions/${id}/show`} sx={{ fontWeight: 600 }}>
                  {name}
                </Link>
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{url}</Box>
              </RowPart>
              <RowPart basis={240} grow={1} quiet>
                {events.join(", ")}
              </RowPart>
              <EnabledChip enabled={enabled} />
              {mayUpdate ? (
                <Button
                  size="small"
                  disabled={busy}
                  aria-label={enabled ? t("Switch off {{name}}", { name }) : t("Switch on {{name}}", { name })}
                  onClick={() => void run(subscription)}
                >
                  {enabled ? t("Switch off") : t("Switch on")}
                </Button>
              ) : null}
            </RowItem>
          );
        })}
      </RowList>
    </>
  );
}
