import CheckCircleOutlineRounded from "@mui/icons-material/CheckCircleOutlineRounded";
import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { PolicyTrial } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { kindOf, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";

/** What a rule would refuse: how many of all, and each with the step that breaks it. */
export function TrialResult({ trial, warns }: { trial: PolicyTrial; warns: boolean }): ReactElement {
  const { published, drafts, refused, undecided, invalidDrafts, left } = trial;
  const isClean = published.refused + drafts.refused === 0;
  const tone = isClean ? "completed" : warns ? "paused" : "failed";
  const Icon = isClean ? CheckCircleOutlineRounded : ErrorOutlineRounded;
  const notes = [
    drafts.checked === 0
      ? ""
      : t("Of {{checked}} drafts, {{refused}} break it.", { checked: drafts.checked, refused: drafts.refused }),
    invalidDrafts === 0 ? "" : t("Drafts with other problems, not tried: {{number}}.", { number: invalidDrafts }),
    undecided.length === 0
      ? ""
      : t("Too large to be checked: {{names}}.", { names: undecided.map(({ name }) => name).join(", ") }),
    left === 0 ? "" : t("Workflows left out, because there are too many: {{number}}.", { number: left }),
    refused.length === 0 || warns ? "" : t("Once it is saved, these are not run any more."),
  ].filter((note) => note !== "");
  return (
    <Box
      component="section"
      aria-label={t("What the rule would refuse")}
      sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}
    >
      <Box sx={{ p: 1.75, bgcolor: `var(--oven-status-${tone}-soft)` }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 1, fontWeight: 650, fontSize: 15 }}>
          <Icon sx={{ fontSize: 20, color: `var(--oven-status-${tone})` }} />
          {toHeadline(published, warns)}
        </Box>
        {notes.length === 0 ? null : <Box sx={{ mt: 0.5, fontSize: 13 }}>{notes.join(" ")}</Box>}
      </Box>
      <RowList label={t("Workflows that break it")}>
        {refused.map(({ kind, id, name, of, problems, found }) => (
          <RowItem key={`${kind} ${id} ${of}`}>
            <RowPart basis={180} grow={1}>
              <Link
                component={RouterLink}
                to={of === "draft" ? `/${kindOf(kind).resource}/${id}/editor` : workflowPath(kind, id)}
                target="_blank"
                sx={{ fontWeight: 600 }}
              >
                {name}
              </Link>
            </RowPart>
            {of === "draft" ? (
              <ToneChip tone="queued" word={t("draft")} />
            ) : (
              <ToneChip tone="completed" word={t("published")} />
            )}
            <Box component="ul" sx={{ flexBasis: "100%", m: 0, pl: 2.25, fontSize: 13 }}>
              {problems.map(({ step, path, message }) => (
                <Box component="li" key={`${path} ${message}`} sx={{ overflowWrap: "anywhere" }}>
                  {step === null ? null : <b>{step}: </b>}
                  {message}
                </Box>
              ))}
              {found > problems.length ? (
                <li>{t("and {{number}} more", { number: found - problems.length })}</li>
              ) : null}
            </Box>
          </RowItem>
        ))}
      </RowList>
    </Box>
  );
}

function toHeadline({ checked, refused }: PolicyTrial["published"], warns: boolean): string {
  const numbers = { checked, refused };
  if (checked === 0) return t("There are no workflows yet.");
  if (refused === 0) return t("None of the {{checked}} workflows breaks it.", numbers);
  return warns
    ? t("{{refused}} of {{checked}} workflows would get a warning.", numbers)
    : t("{{refused}} of {{checked}} workflows would be refused.", numbers);
}
