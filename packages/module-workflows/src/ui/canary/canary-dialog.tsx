import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { ScoreNameSchema } from "@oven/contract/run";
import type { WorkflowDraft, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";

/** No number of a version is this. */
const DRAFT = "draft";

/** No share of failures is more than all. */
const NO_FAILURES = { failurePercent: 100, minRuns: 1 };

const isMean = (text: string): boolean => text !== "" && Number(text) >= 0 && Number(text) <= 1;

/** Which version takes which share of the new runs, and when that ends by itself. */
export function CanaryDialog({
  path,
  draftPath,
  versions,
  onBegun,
  onClose,
}: {
  path: string;
  /** Of the draft, which can be the candidate. */
  draftPath: string;
  versions: readonly WorkflowVersion[];
  onBegun: () => void;
  onClose: () => void;
}): ReactElement {
  // Answers with 404 where there is none.
  const { data: draft } = useAnswer<WorkflowDraft>(draftPath);
  const [chosen, setVersion] = useState("");
  const version = chosen || (draft === undefined ? String(versions[0]?.version ?? "") : DRAFT);
  const [share, setShare] = useState("10");
  const [percent, setPercent] = useState("20");
  const [runs, setRuns] = useState("20");
  const isShare = (text: string): boolean => text !== "" && Number(text) >= 0 && Number(text) <= 100;
  const [score, setScore] = useState("");
  const [below, setBelow] = useState("0.7");
  const [samples, setSamples] = useState("10");
  const hasRule = percent !== "";
  const hasScore = score !== "";
  const isCount = (text: string): boolean => Number.isInteger(Number(text)) && Number(text) > 0;
  const isUsable =
    version !== "" &&
    isShare(share) &&
    (!hasRule || (isShare(percent) && isCount(runs))) &&
    (!hasScore || (ScoreNameSchema.safeParse(score).success && isMean(below) && isCount(samples)));
  return (
    <FormDialog
      title={t("Try a version on a part of the runs")}
      submitLabel={t("Begin")}
      failureTitle={t("The candidate was not set")}
      usable={isUsable}
      onSubmit={async () => {
        const failures = hasRule ? { failurePercent: Number(percent), minRuns: Number(runs) } : NO_FAILURES;
        const scores = hasScore ? { score: { name: score, below: Number(below), samples: Number(samples) } } : {};
        const rollback = hasRule || hasScore ? { ...failures, ...scores } : null;
        const which = version === DRAFT ? { draftRevision: draft?.revision } : { version: Number(version) };
        await api(path, { method: "PUT", body: { ...which, share: Number(share), rollback } });
        onBegun();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        select
        label={t("Candidate")}
        value={version}
        helperText={version === "" ? t("Change the draft, or publish a second version first") : undefined}
        onChange={(event) => setVersion(event.target.value)}
      >
        {draft === undefined ? null : <MenuItem value={DRAFT}>{t("The draft, published without going live")}</MenuItem>}
        {versions.map((one) => (
          <MenuItem key={one.version} value={String(one.version)}>
            {t("Version {{version}}", { version: one.version })}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        type="number"
        label={t("Share of new runs, in percent")}
        value={share}
        onChange={(event) => setShare(event.target.value)}
      />
      <TextField
        type="number"
        label={t("Stop when more than this percentage fails")}
        helperText={t("Empty: only a person stops it")}
        value={percent}
        onChange={(event) => setPercent(event.target.value)}
      />
      <TextField
        type="number"
        label={t("But not before so many runs have ended")}
        disabled={!hasRule}
        value={runs}
        onChange={(event) => setRuns(event.target.value)}
      />
      <TextField
        label={t("Stop when this score is too low")}
        helperText={t("A name such as thumbs or outcome; empty: scores do not stop it")}
        value={score}
        onChange={(event) => setScore(event.target.value.trim())}
      />
      {hasScore ? (
        <>
          <TextField
            type="number"
            label={t("Its mean, from 0 to 1, is lower than")}
            value={below}
            onChange={(event) => setBelow(event.target.value)}
          />
          <TextField
            type="number"
            label={t("But not before so many runs are scored")}
            value={samples}
            onChange={(event) => setSamples(event.target.value)}
          />
        </>
      ) : null}
      <Typography variant="body2" color="text.secondary">
        {t("Runs that have begun keep their version.")}
      </Typography>
    </FormDialog>
  );
}
