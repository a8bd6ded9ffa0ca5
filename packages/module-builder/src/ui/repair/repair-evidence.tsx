import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { PastEvidence, RepairEvidence } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { VERDICT_TONES, verdictWord } from "./repair-look.ts";

/** What was found of a proposal on recorded runs and by policies. */
export function EvidenceView({ evidence }: { evidence: RepairEvidence }): ReactElement {
  const { failed, past, datasets, problems, wrong } = evidence;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {wrong.length === 0 ? null : (
        <Part title={t("What speaks against it")}>
          <Lines lines={wrong} />
        </Part>
      )}
      {failed.length === 0 ? null : (
        <Part title={t("The failed runs on the change")}>
          {failed.map(({ executionId, verdict, detail }) => (
            <Box key={executionId} sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.25 }}>
              <RunLink id={executionId} />
              <ToneChip tone={VERDICT_TONES[verdict]} word={verdictWord(verdict)} />
              {detail === null ? null : <span>{detail}</span>}
            </Box>
          ))}
        </Part>
      )}
      <Part title={t("Runs that had completed")}>
        <PastView past={past} />
      </Part>
      {datasets.map(({ id, name, ...found }) => (
        <Part key={id} title={t("Runs of cases of {{name}}", { name })}>
          <PastView past={found} />
        </Part>
      ))}
      <Part title={t("What policies say")}>
        {problems.length === 0 ? (
          t("No policy is against it.")
        ) : (
          <Lines lines={problems.map(({ message }) => message)} />
        )}
      </Part>
    </Box>
  );
}

function PastView({ past }: { past: PastEvidence }): ReactElement {
  const { runs, same, before, skipped, differing } = past;
  return (
    <>
      <div>
        {runs === 0
          ? t("There is no recording of one.")
          : t("{{same}} of {{count}} come out the same.", { same, count: runs })}
      </div>
      {before === 0 ? null : (
        <div>{t("{{count}} come out otherwise on the published version already.", { count: before })}</div>
      )}
      {skipped === 0 ? null : <div>{t("{{count}} have no recording.", { count: skipped })}</div>}
      {differing.map(({ executionId, detail }) => (
        <Box key={executionId} sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25 }}>
          <RunLink id={executionId} />
          <span>{detail}</span>
        </Box>
      ))}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.5, overflowWrap: "anywhere" }}>
      <Typography variant="h3">{title}</Typography>
      {children}
    </Box>
  );
}

function Lines({ lines }: { lines: readonly string[] }): ReactElement {
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.25 }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
}

/** Leads to the page of a run. */
export function RunLink({ id }: { id: number }): ReactElement {
  return (
    <Link component={RouterLink} to={runPath("agent-workflow", id)}>
      {t("Run #{{id}}", { id })}
    </Link>
  );
}
