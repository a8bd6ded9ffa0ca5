import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { RetentionReport, RetentionState } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { formatExact } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { Answered } from "./answered.tsx";
import { Fact } from "./fold.tsx";
import { Numbers } from "./numbers.tsx";

/** How long things are kept, what goes next, and the button that does it now. */
export function RetentionTab(): ReactElement {
  const mayRun = useCan("config.update");
  const [report, setReport] = useState<RetentionReport | null>(null);
  const [asking, setAsking] = useState(false);
  const answer = useAnswer<RetentionState>("installation/retention", report);
  return (
    <Answered answer={answer} what={t("The retention")}>
      {({ detailDays, runDays, eventDays, due, next, lastPass }) => (
        <Box sx={{ display: "grid", gap: 2.5 }}>
          <Fact name={t("Kept")}>
            <Numbers
              label={t("Kept")}
              entries={[
                { label: t("Details of runs"), value: `${detailDays} d`, line: t("log, steps, artefacts, context") },
                { label: t("Runs"), value: `${runDays} d`, line: t("with their reviews") },
                { label: t("Events"), value: `${eventDays} d`, line: t("that were delivered") },
              ]}
            />
          </Fact>
          <Fact name={t("Next")}>
            <Box sx={{ fontSize: 14, display: "grid", gap: 0.5 }}>
              <span>
                {due.details === 0 && due.runs === 0
                  ? t("Nothing is old enough to go.")
                  : t(
                      "Old enough to go: the details of {{details}} runs, and {{runs}} runs altogether. Those that live runs refer to stay.",
                      { details: due.details, runs: due.runs },
                    )}
              </span>
              {next === null ? null : (
                <span>
                  {tx("The oldest with its details is {{run}}, which loses them on {{date}}.", {
                    run: (
                      <Link component={RouterLink} underline="always" to={runPath(next.kind, next.id)}>
                        {t("run #{{id}}", { id: next.id })}
                      </Link>
                    ),
                    date: formatExact(next.dueAt),
                  })}
                </span>
              )}
              <span>
                {lastPass === null
                  ? t("No daily pass in the last day.")
                  : lastPass.state === "done"
                    ? tx("The pass of {{day}} was done {{time}}.", {
                        day: lastPass.day,
                        time: <RelativeTime at={lastPass.at} />,
                      })
                    : tx("The pass of {{day}} is going on, {{time}}.", {
                        day: lastPass.day,
                        time: <RelativeTime at={lastPass.at} />,
                      })}
              </span>
            </Box>
          </Fact>
          {mayRun ? (
            <Box>
              <Button variant="outlined" onClick={() => setAsking(true)}>
                {t("Remove now what is due")}
              </Button>
            </Box>
          ) : null}
          {report === null ? null : (
            <Box role="status" sx={{ fontSize: 14 }}>
              {t("Removed: details of {{details}} runs, {{runs}} runs, {{artefacts}} artefacts, {{reviews}} reviews.", {
                details: report.details,
                runs: report.runs,
                artefacts: report.blobs,
                reviews: report.reviews,
              })}
            </Box>
          )}
          <ConfirmDialog
            open={asking}
            title={t("Remove what is due?")}
            text={t(
              "Details of runs that ended more than {{detailDays}} days ago, and runs that ended more than {{runDays}} days ago, go for good. The daily pass would do the same.",
              { detailDays, runDays },
            )}
            confirmLabel={t("Remove")}
            onConfirm={async () => {
              const { json } = await api("retention/run", { method: "POST", body: {} });
              setReport(json as RetentionReport); // cast: the route's response
            }}
            onClose={() => setAsking(false)}
          />
        </Box>
      )}
    </Answered>
  );
}
