import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import type { ExecutionKind } from "@oven/contract/run";
import { t, tx } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { RetryState } from "./use-retry-all.ts";

const MOST_SHOWN = 20;

/** How far a retry of many runs is, and afterwards which were not tried again and why. */
export function RetryReport({
  kind,
  state: { total, report, going, failure },
  onStop,
}: {
  kind: ExecutionKind;
  state: RetryState;
  onStop: () => void;
}): ReactElement {
  const done = report.retried.length + report.refused.length;
  return (
    <Box role="status" sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      {going ? (
        <LinearProgress
          variant="determinate"
          value={(done / total) * 100}
          aria-label={t("Runs that were gone through")}
        />
      ) : null}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, fontVariantNumeric: "tabular-nums" }}>
        <span>
          {t("{{retried}} of {{total}} runs go on in new ones, {{refused}} were not tried again", {
            retried: report.retried.length,
            total,
            refused: report.refused.length,
          })}
        </span>
        {going ? (
          <Button size="small" onClick={onStop}>
            {t("Stop")}
          </Button>
        ) : null}
      </Box>
      {going || done === total ? null : (
        <Box sx={{ color: "text.secondary" }}>
          {t("It was stopped: {{count}} runs are as they were", { count: total - done })}
        </Box>
      )}
      {failure === null ? null : <ErrorPanel error={failure} title={t("The next runs were not tried again")} />}
      {report.refused.length === 0 ? null : (
        <Box component="ul" aria-label={t("Not tried again")} sx={{ m: 0, pl: 2.5, fontSize: 13.5 }}>
          {report.refused.slice(0, MOST_SHOWN).map(({ id, code, message }) => (
            <li key={id}>
              {tx("{{run}}: {{message}} ({{code}})", {
                run: (
                  <Link component={RouterLink} to={runPath(kind, id)}>
                    #{id}
                  </Link>
                ),
                message,
                code,
              })}
            </li>
          ))}
          {report.refused.length > MOST_SHOWN ? (
            <li>{t("and {{count}} more", { count: report.refused.length - MOST_SHOWN })}</li>
          ) : null}
        </Box>
      )}
    </Box>
  );
}
