import ReplayRounded from "@mui/icons-material/ReplayRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { TriggerDelivery } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatExact } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { FilterChips, ListBody } from "@oven/ui/components/list-page.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { ListContextProvider, useListController, useRefresh } from "react-admin";
import { Link } from "react-router-dom";
import { DECISION_LOOKS } from "./trigger-looks.ts";

const DECISIONS = ["started", "merged", "held", "filtered", "skipped", "refused", "queued", "failed"] as const;

/** What arrived at a trigger, the newest first. */
export function DeliveryLog({ triggerId, mayReplay }: { triggerId: number; mayReplay: boolean }): ReactElement {
  const list = useListController<TriggerDelivery>({
    resource: "trigger-deliveries",
    filter: { triggerId },
    sort: { field: "id", order: "DESC" },
    perPage: 25,
    disableSyncWithLocation: true,
    storeKey: `deliveries.${triggerId}`,
    queryOptions: { refetchInterval: 5_000 },
  });
  return (
    <ListContextProvider value={list}>
      <Box>
        <ListBody
          noun={t("deliveries")}
          filters={
            <FilterChips
              field="decision"
              label={t("Decision")}
              choices={DECISIONS.map((decision) => ({ label: DECISION_LOOKS[decision].word, value: decision }))}
            />
          }
          empty={
            <EmptyState
              icon={<ReplayRounded />}
              title={t("Nothing has arrived yet")}
              text={t(
                "Everything that arrives is kept here: what it was, what was decided, and the run that came of it.",
              )}
            />
          }
        >
          <RowList label={t("Deliveries")}>
            {(list.data ?? []).map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} mayReplay={mayReplay} />
            ))}
          </RowList>
        </ListBody>
      </Box>
    </ListContextProvider>
  );
}

function Delivery({ delivery, mayReplay }: { delivery: TriggerDelivery; mayReplay: boolean }): ReactElement {
  const { id, decision, reason, executionKind, executionId, payload, receivedAt, replayOf } = delivery;
  const { heldUntil, mergedInto } = delivery;
  const [open, setOpen] = useState(false);
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    await api(`trigger-deliveries/${id}/replay`, { method: "POST", body: {} });
    refresh();
  });
  const path = executionKind === null || executionId === null ? null : runPath(executionKind, executionId);
  return (
    <RowItem>
      <RowPart basis={100}>
        <ToneChip {...DECISION_LOOKS[decision]} />
      </RowPart>
      <RowPart basis={200} grow={1} quiet>
        {heldUntil === null ? null : t("until {{at}}", { at: formatExact(heldUntil) })}{" "}
        {path === null ? null : (
          <Link to={path}>
            {decision === "merged" ? t("into run {{id}}", { id: executionId }) : t("run {{id}}", { id: executionId })}
          </Link>
        )}{" "}
        {path === null && mergedInto !== null ? t("into delivery {{id}}", { id: mergedInto }) : null} {reason}{" "}
        {replayOf === null ? null : t("repeats {{replayOf}}", { replayOf })}
      </RowPart>
      <RowPart basis={90} quiet>
        <RelativeTime at={receivedAt} />
      </RowPart>
      <Box>
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("Hide") : t("Show")}
        </Button>
        {mayReplay ? (
          <Button
            size="small"
            loading={busy}
            onClick={() => void run()}
            aria-label={t("Repeat delivery {{id}}", { id })}
          >
            {t("Repeat")}
          </Button>
        ) : null}
      </Box>
      {open ? (
        <Box sx={{ flexBasis: "100%", minWidth: 0 }}>
          <JsonView value={payload} what={t("delivery {{id}}", { id })} />
        </Box>
      ) : null}
      {failure === null ? null : (
        <Box sx={{ flexBasis: "100%" }}>
          <ErrorPanel error={failure} title={t("It was not repeated")} />
        </Box>
      )}
    </RowItem>
  );
}
