import CheckCircleOutlineRounded from "@mui/icons-material/CheckCircleOutlineRounded";
import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { JsonObject, Problem } from "@oven/contract";
import type { DraftCaseResult, DraftProof } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { placeInWords } from "../../definition/place-in-words.ts";
import { ProblemList } from "../../definition/problem-list.tsx";
import { toShortSummary } from "../../definition/worst-case-words.ts";
import { toCasesText, toNotProvedText } from "./proof-words.ts";
import { useProof } from "./use-proof.ts";

export interface ProofCardProps {
  /** The run of the answer. */
  executionId: number | null;
  /** What is on the canvas. */
  definition: JsonObject;
  /** The revision of the draft that is on the canvas. */
  revision: number;
  onProblem: (problem: Problem) => void;
}

/** What the server has found out about the draft that an answer left behind: the model has no say in it. */
export function ProofCard({ executionId, definition, revision, onProblem }: ProofCardProps): ReactElement | null {
  const proof = useProof(executionId);
  if (proof === null) return null;
  const errors = proof.problems.filter(({ severity }) => severity === "error");
  return (
    <Box
      component="section"
      aria-label={t("What was checked")}
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2.5,
        overflow: "hidden",
        bgcolor: "background.paper",
        fontSize: 13,
        lineHeight: "19px",
      }}
    >
      <Row good={proof.valid}>
        <b>{toValidText(proof, errors.length)}</b>
        {proof.draftRevision === revision ? null : (
          <Box sx={{ color: "text.secondary" }}>{t("The draft was changed since.")}</Box>
        )}
      </Row>
      {proof.problems.length === 0 ? null : (
        <Box sx={{ borderTop: 1, borderColor: "divider" }}>
          <ProblemList
            problems={proof.problems}
            placeOf={(path) => placeInWords(definition, path)}
            onJump={onProblem}
          />
        </Box>
      )}
      {proof.cases.length === 0 ? null : <Cases cases={proof.cases} />}
      {proof.worstCase === null ? null : (
        <Part title={t("What a run needs at most")}>{toShortSummary(proof.worstCase)}</Part>
      )}
      {proof.notProved.length === 0 ? null : (
        <Part title={t("Not proved")}>
          <Box component="ul" sx={{ m: 0, pl: 2 }}>
            {proof.notProved.map((what) => (
              <li key={what}>{toNotProvedText(what)}</li>
            ))}
          </Box>
        </Part>
      )}
    </Box>
  );
}

function toValidText({ valid, problems }: DraftProof, errors: number): string {
  if (!valid) return errors === 1 ? t("The draft has a problem") : t("The draft has {{errors}} problems", { errors });
  return problems.length === 0 ? t("The draft is valid") : t("The draft is valid, with warnings");
}

function Cases({ cases }: Pick<DraftProof, "cases">): ReactElement {
  return (
    <Box sx={{ borderTop: 1, borderColor: "divider" }}>
      <Row good={cases.every(({ passed }) => passed)}>
        <b>{toCasesText(cases)}</b>
      </Row>
      <Box component="ul" aria-label={t("Test cases")} sx={{ m: 0, p: 0, pb: 0.5, listStyle: "none" }}>
        {cases.map((one) => (
          <Case key={one.name} case={one} />
        ))}
      </Box>
    </Box>
  );
}

function Case({ case: { name, passed, reason, runId } }: { case: DraftCaseResult }): ReactElement {
  return (
    <Box component="li" sx={{ display: "flex", gap: 1, px: 1.5, py: 0.5 }}>
      <Mark good={passed} title={passed ? t("passed") : t("did not pass")} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
        {name}
        {reason === null ? null : <Box sx={{ color: "text.secondary" }}>{reason}</Box>}
      </Box>
      {runId === null ? null : (
        <Link
          component={RouterLink}
          to={runPath("agent-workflow", runId)}
          target="_blank"
          aria-label={t("Run #{{id}} of “{{name}}”", { id: runId, name })}
          sx={{ flex: "none", fontVariantNumeric: "tabular-nums" }}
        >
          #{runId}
        </Link>
      )}
    </Box>
  );
}

function Mark({ good, title }: { good: boolean; title?: string }): ReactElement {
  const Icon = good ? CheckCircleOutlineRounded : ErrorOutlineRounded;
  return (
    <Icon
      {...(title === undefined ? {} : { titleAccess: title })}
      sx={{ flex: "none", fontSize: 18, color: `var(--oven-status-${good ? "completed" : "failed"})` }}
    />
  );
}

function Row({ good, children }: { good: boolean; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ display: "flex", gap: 1, px: 1.5, py: 1 }}>
      <Mark good={good} />
      <Box sx={{ minWidth: 0 }}>{children}</Box>
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ px: 1.5, py: 1, borderTop: 1, borderColor: "divider" }}>
      <Box sx={{ fontSize: 12, fontWeight: 600, color: "text.secondary" }}>{title}</Box>
      {children}
    </Box>
  );
}
