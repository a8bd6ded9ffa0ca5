import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { EventDelivery, LoggedEvent } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { useListContext, useRefresh } from "react-admin";
import { toEventState } from "./event-state.ts";

const LOOKS = {
  pending: { tone: "queued", word: t("waiting") },
  delivered: { tone: "completed", word: t("delivered") },
  failed: { tone: "failed", word: t("failed") },
} as const;

export function EventRows(): ReactElement {
  const { data } = useListContext<LoggedEvent>();
  return (
    <RowList label={t("Events")}>
      {(data ?? []).map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </RowList>
  );
}

function EventRow({ event }: { event: LoggedEvent }): ReactElement {
  const [open, setOpen] = useState(false);
  const panel = `event-${event.id}`;
  return (
    <RowItem>
      <RowPart basis={110} quiet>
        <RelativeTime at={event.at} />
      </RowPart>
      <RowPart basis={280} grow={2}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{event.name}</Box>
        {event.executionId === null ? null : (
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{t("run {{id}}", { id: event.executionId })}</Box>
        )}
      </RowPart>
      <ToneChip {...LOOKS[toEventState(event)]} />
      <Button
        size="small"
        aria-expanded={open}
        aria-controls={panel}
        aria-label={open ? t("Hide event {{id}}", { id: event.id }) : t("Show event {{id}}", { id: event.id })}
        onClick={() => setOpen(!open)}
      >
        {open ? t("Hide") : t("Show")}
      </Button>
      <Box id={panel} sx={{ flexBasis: "100%", minWidth: 0 }} hidden={!open}>
        {open ? <EventDetails event={event} /> : null}
      </Box>
    </RowItem>
  );
}

function EventDetails({ event }: { event: LoggedEvent }): ReactElement {
  const mayRetry = useCan("events.retry");
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (listener: string) => {
    await api(`events/${event.id}/retry`, { method: "POST", body: { listener } });
    refresh();
  });
  return (
    <Box sx={{ display: "grid", gap: 1.5, pt: 1 }}>
      <JsonView value={event.payload} what={t("the payload of event {{id}}", { id: event.id })} maxHeight={280} />
      {failure === null ? null : <ErrorPanel error={failure} title={t("It was not delivered anew")} />}
      {event.deliveries.length === 0 ? (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("Nobody listens to it.")}</Box>
      ) : (
        <Box
          component="ul"
          aria-label={t("Listeners of event {{id}}", { id: event.id })}
          sx={{ m: 0, p: 0, listStyle: "none" }}
        >
          {event.deliveries.map((delivery) => (
            <Box
              component="li"
              key={delivery.listener}
              sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, rowGap: 0.5, py: 0.5 }}
            >
              <Listener delivery={delivery} />
              {mayRetry && delivery.status === "failed" ? (
                <Button size="small" disabled={busy} onClick={() => void run(delivery.listener)}>
                  {t("Deliver again")}
                </Button>
              ) : null}
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}

function Listener({ delivery }: { delivery: EventDelivery }): ReactElement {
  const { listener, status, attempts, lastError } = delivery;
  return (
    <>
      <ToneChip {...LOOKS[status]} />
      <Box sx={{ flex: "1 1 220px", minWidth: 0, overflowWrap: "anywhere" }}>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{listener}</Box>
        {lastError === null ? null : (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>
            {t("after {{count}} attempts: {{error}}", { count: attempts, error: lastError })}
          </Box>
        )}
      </Box>
    </>
  );
}
