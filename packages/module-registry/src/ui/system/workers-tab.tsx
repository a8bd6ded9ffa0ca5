import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Worker, Workers } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { formatBytes } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";
import { Answered } from "./answered.tsx";

const EVERY_MS = 10_000;

/** The processes that work on runs, and what each holds. */
export function WorkersTab(): ReactElement {
  const answer = useAnswer<Workers>("installation/workers", useNow(EVERY_MS));
  return (
    <Answered answer={answer} what={t("The workers")}>
      {({ workers, orphans }) => (
        <Box sx={{ mx: -2, mb: -2 }}>
          <RowList label={t("Workers")}>
            {workers.map((worker) => (
              <WorkerRow key={worker.name} worker={worker} />
            ))}
          </RowList>
          {orphans.length === 0 ? null : (
            <Box sx={{ px: 2, py: 1.5, borderTop: 1, borderColor: "divider" }}>
              <Box sx={{ fontWeight: 600 }}>{t("Held by a process that is gone")}</Box>
              <Box sx={{ fontSize: 13, color: "text.secondary", mb: 0.5 }}>
                {t("Another takes them over when the lease ends.")}
              </Box>
              <Runs runs={orphans} />
            </Box>
          )}
        </Box>
      )}
    </Answered>
  );
}

function WorkerRow({ worker }: { worker: Worker }): ReactElement {
  const { name, host, pid, here, takesRuns, live, stoppedAt, memory, runs, leases } = worker;
  return (
    <RowItem>
      <RowPart basis={220} grow={2}>
        <Box sx={{ fontWeight: 600 }}>{here ? t("This process") : name}</Box>
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {takesRuns
            ? t("process {{pid}} on {{host}}", { pid, host })
            : t("process {{pid}} on {{host}}, serves only", { pid, host })}
        </Box>
      </RowPart>
      <RowPart basis={90}>
        {live ? (
          <ToneChip tone="completed" word={t("alive")} />
        ) : stoppedAt === null ? (
          <ToneChip tone="failed" word={t("silent")} />
        ) : (
          <ToneChip tone="cancelled" word={t("stopped")} />
        )}
      </RowPart>
      <RowPart basis={190} grow={1} quiet>
        {tx("last heard of {{time}}", { time: <RelativeTime at={worker.heartbeatAt} /> })}
        <br />
        {tx("started {{time}}", { time: <RelativeTime at={worker.startedAt} /> })}
        {memory === null ? "" : `, ${formatBytes(memory)}`}
      </RowPart>
      <RowPart basis={220} grow={2} quiet>
        {leases === 0 ? t("holds no run") : t("holds {{count}} runs", { count: leases })}
        <Runs runs={runs} />
      </RowPart>
    </RowItem>
  );
}

function Runs({ runs }: { runs: Workers["orphans"] }): ReactElement | null {
  if (runs.length === 0) return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25, fontSize: 13 }}>
      {runs.map(({ id, kind, currentState }) => (
        <span key={id}>
          <Link component={RouterLink} underline="always" to={runPath(kind, id)}>
            #{id}
          </Link>{" "}
          {currentState}
        </span>
      ))}
    </Box>
  );
}
