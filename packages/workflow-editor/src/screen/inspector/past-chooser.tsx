import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { toWords } from "../../run/checkpoint-words.ts";
import type { Past } from "./use-past.ts";

/** Longer lists are shortened in the middle: the beginning and the end are what people look for. */
const LISTED = 200;

/** Which run, and where in it, values and previews are taken from. */
export function PastChooser({ past }: { past: Past }): ReactElement | null {
  const { run, runs, checkpoints, checkpoint, chooseRun, chooseCheckpoint } = past;
  if (run === undefined) return null;
  const isListed = runs.some(({ id }) => id === run.id);
  const isNewest = runs[0]?.id === run.id;
  const shown =
    checkpoints.length <= LISTED
      ? checkpoints
      : checkpoints.filter(
          ({ seq }, index) => index < LISTED / 2 || index >= checkpoints.length - LISTED / 2 || seq === checkpoint,
        );
  return (
    <Box
      role="group"
      aria-label={t("Values are taken from")}
      sx={{
        display: "grid",
        gridTemplateColumns: "auto minmax(0, 1fr) minmax(0, 1.3fr)",
        gap: 1,
        alignItems: "center",
        px: 2,
        py: 0.75,
        fontSize: 12,
        color: "text.secondary",
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <span>{t("Values of")}</span>
      <TextField
        select
        value={run.id}
        onChange={(event) => {
          const id = Number(event.target.value);
          // The newest is not held on to: the next run takes its place.
          chooseRun(id === runs[0]?.id ? null : id);
        }}
        slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Run that values are taken from") } }}
        sx={SMALL}
      >
        {isListed ? null : <option value={run.id}>#{run.id}</option>}
        {runs.map(({ id, status }, index) => (
          <option key={id} value={id}>
            {index === 0 ? t("#{{id}} {{status}}, newest", { id, status }) : `#${id} ${status}`}
          </option>
        ))}
      </TextField>
      <TextField
        select
        value={checkpoint ?? ""}
        onChange={(event) => chooseCheckpoint(event.target.value === "" ? null : Number(event.target.value))}
        slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Step that values are taken from") } }}
        sx={SMALL}
      >
        <option value="">{isNewest && run.completedAt === null ? t("where it is now") : t("at its end")}</option>
        {/* Remembered from before, while the steps are still being read. */}
        {checkpoint === null || shown.some(({ seq }) => seq === checkpoint) ? null : (
          <option value={checkpoint}>{t("Step at {{checkpoint}} …", { checkpoint })}</option>
        )}
        {shown.map((one, index) => (
          <option key={one.seq} value={one.seq}>
            {index + 1}. {toWords(one)}
          </option>
        ))}
      </TextField>
    </Box>
  );
}

const SMALL = { "& select": { py: 0.5, fontSize: 12 } } as const;
