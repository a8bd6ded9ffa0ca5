import CheckRounded from "@mui/icons-material/CheckRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { EvalCheck, EvalResult } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { ValueView } from "@oven/ui/components/json-view.tsx";
import { RowItem, RowPart } from "@oven/ui/components/row-item.tsx";
import { previewJson } from "@oven/ui/components/tool-box.tsx";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { toExpectationSentence } from "../cases/expectation-words.ts";
import { ResultChip } from "./run-words.tsx";

/** One case of an evaluation: what held and what did not, and what came out. */
export function ResultRow({ result }: { result: EvalResult }): ReactElement {
  const { caseName, status, checks, error, executionId, executionKind, durationMs, costMicros } = result;
  const [open, setOpen] = useState(false);
  const run = executionId === null || executionKind === null ? null : { id: executionId, kind: executionKind };
  return (
    <RowItem>
      <RowPart basis={110}>
        <ResultChip status={status} />
      </RowPart>
      <RowPart basis={240} grow={1}>
        <Box sx={{ fontWeight: 600 }}>{caseName}</Box>
        {error === null ? null : (
          <Box sx={{ fontSize: 13, color: "error.main" }}>
            {t("{{code}}: {{message}}", { code: error.code, message: error.message })}
          </Box>
        )}
      </RowPart>
      <RowPart basis={130} quiet>
        {[durationMs === null ? "" : formatDuration(durationMs), formatMoney(costMicros)]
          .filter((part) => part !== "")
          .join(" · ")}
      </RowPart>
      {run === null ? null : (
        <Link component={RouterLink} to={runPath(run.kind, run.id)}>
          {t("run {{id}}", { id: run.id })}
        </Link>
      )}
      <Button
        size="small"
        aria-expanded={open}
        aria-label={open ? t("Hide {{name}}", { name: caseName }) : t("Show {{name}}", { name: caseName })}
        onClick={() => setOpen(!open)}
      >
        {open ? t("Hide") : t("Show")}
      </Button>
      <Checks checks={open ? checks : checks.filter(({ passed }) => !passed)} />
      {open ? (
        <Box
          sx={{
            flexBasis: "100%",
            minWidth: 0,
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <Box>
            <Box sx={{ mb: 0.5, fontWeight: 600 }}>{t("Input")}</Box>
            <ValueView value={result.input} what={t("the input")} />
          </Box>
          <Box>
            <Box sx={{ mb: 0.5, fontWeight: 600 }}>{t("Output")}</Box>
            <ValueView value={result.output} what={t("the output")} />
          </Box>
        </Box>
      ) : null}
    </RowItem>
  );
}

/** Each expectation as a sentence, with what was seen where it does not hold. */
export function Checks({ checks }: { checks: readonly EvalCheck[] }): ReactElement | null {
  if (checks.length === 0) return null;
  return (
    <Box
      component="ul"
      sx={{ flexBasis: "100%", m: 0, p: 0, listStyle: "none", fontSize: 13, display: "grid", gap: 0.5 }}
    >
      {checks.map(({ expectation, passed, seen, reason, score }, index) => (
        <Box component="li" key={index} sx={{ display: "flex", gap: 0.75, overflowWrap: "anywhere" }}>
          {passed ? (
            <CheckRounded sx={{ fontSize: 18, color: "var(--oven-status-completed)" }} />
          ) : (
            <CloseRounded sx={{ fontSize: 18, color: "var(--oven-status-failed)" }} />
          )}
          <Box sx={{ minWidth: 0 }}>
            <Box component="span" sx={visuallyHidden}>
              {passed ? t("Holds:") : t("Does not hold:")}
            </Box>{" "}
            {toExpectationSentence(expectation)}
            <Seen check={{ expectation, passed, seen, reason, score }} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** What was looked at where it does not hold, and what a judge said in any case. */
function Seen({ check: { expectation, passed, seen, reason, score } }: { check: EvalCheck }): ReactElement | null {
  const isJudged = expectation.type === "judge";
  const lines = [
    isJudged ? t("It got {{score}}.", { score: score.toFixed(2) }) : "",
    passed || isJudged || seen === null ? "" : t("Seen: {{seen}}", { seen: previewJson(seen) }),
    // What was wanted stands in the sentence.
    reason === null || (expectation.type === "exact" && seen !== null) ? "" : reason,
  ].filter((line) => line !== "");
  if (lines.length === 0 || (passed && !isJudged)) return null;
  return <Box sx={{ color: "text.secondary" }}>{lines.join(" · ")}</Box>;
}
