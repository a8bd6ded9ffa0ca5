import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { ScoreNameSchema } from "@oven/contract/run";
import type { SetCanaryBody } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** What the fields hold, as it is typed. */
export interface CanarySettings {
  /** Percent of the new runs. */
  share: string;
  /** Empty: failures do not stop the candidate. */
  failurePercent: string;
  minRuns: string;
  /** The name of a score; empty: scores do not stop the candidate. */
  score: string;
  /** The lowest mean, from 0 to 1. */
  below: string;
  samples: string;
}

/** A cautious beginning. */
export const NEW_CANARY: CanarySettings = {
  share: "10",
  failurePercent: "20",
  minRuns: "20",
  score: "",
  below: "0.7",
  samples: "10",
};

/** No share of failures is more than all. */
const NO_FAILURES = { failurePercent: 100, minRuns: 1 };

const isWithin = (text: string, most: number): boolean => text !== "" && Number(text) >= 0 && Number(text) <= most;
const isCount = (text: string): boolean => Number.isInteger(Number(text)) && Number(text) > 0;

/** Whether the server would take them. */
export function areUsable({ share, failurePercent, minRuns, score, below, samples }: CanarySettings): boolean {
  return (
    isWithin(share, 100) &&
    (failurePercent === "" || (isWithin(failurePercent, 100) && isCount(minRuns))) &&
    (score === "" || (ScoreNameSchema.safeParse(score).success && isWithin(below, 1) && isCount(samples)))
  );
}

/** The part of the request that the fields are about. */
export function toCanaryBody(settings: CanarySettings): Pick<SetCanaryBody, "share" | "rollback"> {
  const { share, failurePercent, minRuns, score, below, samples } = settings;
  const failures =
    failurePercent === "" ? NO_FAILURES : { failurePercent: Number(failurePercent), minRuns: Number(minRuns) };
  const scores = score === "" ? {} : { score: { name: score, below: Number(below), samples: Number(samples) } };
  const hasRule = failurePercent !== "" || score !== "";
  return { share: Number(share), rollback: hasRule ? { ...failures, ...scores } : null };
}

/** Which share of the new runs a candidate takes, and when that ends by itself. */
export function CanaryFields({
  settings,
  onChange,
}: {
  settings: CanarySettings;
  onChange: (settings: CanarySettings) => void;
}): ReactElement {
  const field = (key: keyof CanarySettings, label: string) => ({
    label,
    value: settings[key],
    onChange: (event: { target: { value: string } }) => onChange({ ...settings, [key]: event.target.value.trim() }),
  });
  return (
    <>
      <TextField type="number" {...field("share", t("Share of new runs, in percent"))} />
      <TextField
        type="number"
        helperText={t("Empty: only a person stops it")}
        {...field("failurePercent", t("Stop when more than this percentage fails"))}
      />
      <TextField
        type="number"
        disabled={settings.failurePercent === ""}
        {...field("minRuns", t("But not before so many runs have ended"))}
      />
      <TextField
        helperText={t("A name such as thumbs or outcome; empty: scores do not stop it")}
        {...field("score", t("Stop when this score is too low"))}
      />
      {settings.score === "" ? null : (
        <>
          <TextField type="number" {...field("below", t("Its mean, from 0 to 1, is lower than"))} />
          <TextField type="number" {...field("samples", t("But not before so many runs are scored"))} />
        </>
      )}
      <Typography variant="body2" color="text.secondary">
        {t("Runs that have begun keep their version.")}
      </Typography>
    </>
  );
}
