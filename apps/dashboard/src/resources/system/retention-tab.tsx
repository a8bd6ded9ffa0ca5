import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { RetentionReport, RetentionState } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatExact } from "../../components/format.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useAnswer } from "../../components/use-answer.ts";
import { useCan } from "../../components/use-can.ts";
import { api } from "../../providers/api-client.ts";
import { runPath } from "../workflows/workflow-kind.ts";
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
    <Answered answer={answer} what="The retention">
      {({ detailDays, runDays, eventDays, due, next, lastPass }) => (
        <Box sx={{ display: "grid", gap: 2.5 }}>
          <Fact name="Kept">
            <Numbers
              label="Kept"
              entries={[
                { label: "Details of runs", value: `${detailDays} d`, line: "log, steps, artefacts, context" },
                { label: "Runs", value: `${runDays} d`, line: "with their reviews" },
                { label: "Events", value: `${eventDays} d`, line: "that were delivered" },
              ]}
            />
          </Fact>
          <Fact name="Next">
            <Box sx={{ fontSize: 14, display: "grid", gap: 0.5 }}>
              <span>
                {due.details === 0 && due.runs === 0
                  ? "Nothing is old enough to go."
                  : `Old enough to go: the details of ${due.details} runs, and ${due.runs} runs altogether. Those that live runs refer to are kept.`}
              </span>
              {next === null ? null : (
                <span>
                  The oldest with its details is{" "}
                  <Link component={RouterLink} underline="always" to={runPath(next.kind, next.id)}>
                    run #{next.id}
                  </Link>
                  , which loses them on {formatExact(next.dueAt)}.
                </span>
              )}
              <span>
                {lastPass === null ? (
                  "No daily pass in the last day."
                ) : (
                  <>
                    The pass of {lastPass.day} {lastPass.state === "done" ? "was done" : "is going on,"}{" "}
                    <RelativeTime at={lastPass.at} />.
                  </>
                )}
              </span>
            </Box>
          </Fact>
          {mayRun ? (
            <Box>
              <Button variant="outlined" onClick={() => setAsking(true)}>
                Remove now what is due
              </Button>
            </Box>
          ) : null}
          {report === null ? null : (
            <Box role="status" sx={{ fontSize: 14 }}>
              Removed: details of {report.details} runs, {report.runs} runs, {report.blobs} artefacts, {report.reviews}{" "}
              reviews.
            </Box>
          )}
          <ConfirmDialog
            open={asking}
            title="Remove what is due?"
            text={`Details of runs that ended more than ${detailDays} days ago, and runs that ended more than ${runDays} days ago, go for good. The daily pass would do the same.`}
            confirmLabel="Remove"
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
