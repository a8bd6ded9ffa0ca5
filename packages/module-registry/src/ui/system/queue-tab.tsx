import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { LoggedEvent, Queue } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { ReactElement, ReactNode } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { Answered } from "./answered.tsx";
import { Fact } from "./fold.tsx";
import { Numbers } from "./numbers.tsx";

const EVERY_MS = 10_000;
const FAILED = {
  filter: { failed: true },
  pagination: { page: 1, perPage: 1 },
  sort: { field: "id", order: "DESC" as const },
};

/** What waits, how long, and what came of the last hour; all of it counted from the runs just now. */
export function QueueTab(): ReactElement {
  const answer = useAnswer<Queue>("installation/queue", useNow(EVERY_MS));
  return (
    <Answered answer={answer} what={t("The queue")}>
      {(queue) => (
        <Box sx={{ display: "grid", gap: 2.5 }}>
          <Fact name={t("Now")}>
            <Numbers
              label={t("Now")}
              entries={[
                { label: t("Queued"), value: queue.pending.count, line: since(queue.pending.oldest) },
                { label: t("Running"), value: queue.running.count, line: since(queue.running.oldest) },
                { label: t("Paused"), value: queue.paused.count, line: since(queue.paused.oldest) },
                {
                  label: t("Timers"),
                  value: queue.timers.count,
                  line:
                    queue.timers.next === null
                      ? t("none is set")
                      : tx("next {{time}}", { time: <RelativeTime at={queue.timers.next} /> }),
                },
                {
                  label: t("Overdue"),
                  value: queue.overdue.count,
                  line: since(queue.overdue.oldest, t("none waits for a worker")),
                },
                { label: t("Wake-ups under way"), value: queue.wakeUps },
              ]}
            />
          </Fact>
          <Fact name={t("Ended in the last hour")}>
            <Numbers
              label={t("Ended in the last hour")}
              entries={[
                { label: t("Completed"), value: queue.lastHour.completed },
                { label: t("Failed"), value: queue.lastHour.failed },
                { label: t("Cancelled"), value: queue.lastHour.cancelled },
              ]}
            />
          </Fact>
          <DeadLetters />
        </Box>
      )}
    </Answered>
  );
}

function since(oldest: string | null, none = t("none")): ReactNode {
  return oldest === null ? none : tx("the oldest from {{time}}", { time: <RelativeTime at={oldest} /> });
}

/** What was given up on after all attempts, and where it can be tried anew. */
function DeadLetters(): ReactElement | null {
  const mayRead = useCan("events.read");
  const { total } = useGetList<LoggedEvent>("events", FAILED, { enabled: mayRead });
  if (!mayRead || total === undefined) return null;
  return (
    <Fact name={t("Given up on")}>
      <Box sx={{ fontSize: 14 }}>
        {total === 0
          ? t("No event was given up on.")
          : `${t("{{count}} events did not reach a listener.", { count: total })} `}
        {total === 0 ? null : (
          <Link
            component={RouterLink}
            underline="always"
            to={`/events?filter=${encodeURIComponent(JSON.stringify({ failed: true }))}`}
          >
            {t("See them and deliver them anew")}
          </Link>
        )}
      </Box>
    </Fact>
  );
}
