import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { MoveGroup } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import type { ReactElement } from "react";
import { toChoices, toGroupTitle, VERDICTS } from "./move-words.ts";

const SHOWN = 3;

/** Runs that are alike: whether they can be moved, what is to be chosen, and why they stay. */
export function MoveGroupView({
  group,
  onChoose,
}: {
  group: MoveGroup;
  onChoose: (mapping: readonly [from: string, to: string]) => void;
}): ReactElement {
  const { tone, word } = VERDICTS[group.verdict];
  const problems = group.verdict === "cannot" ? group.problems.slice(0, SHOWN) : [];
  return (
    <Box component="li" sx={{ py: 1.25, borderTop: 1, borderColor: "divider", display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
        <Typography sx={{ flex: "1 1 200px", minWidth: 0, fontWeight: 600, overflowWrap: "anywhere" }}>
          {toGroupTitle(group)}
        </Typography>
        <ToneChip tone={tone} word={word} />
      </Box>
      {toChoices(group).map(({ key, label, options }) => (
        <Box key={key} sx={{ display: "grid", gap: 0.5 }}>
          <Typography variant="body2">{label}</Typography>
          <TextField
            select
            size="small"
            value=""
            slotProps={{ htmlInput: { "aria-label": label }, select: { displayEmpty: true } }}
            onChange={(event) => {
              const chosen = options.find(({ value }) => value === event.target.value);
              if (chosen !== undefined) onChoose(chosen.mapping);
            }}
          >
            <MenuItem value="" disabled>
              {t("Choose a step")}
            </MenuItem>
            {options.map(({ value, text }) => (
              <MenuItem key={value} value={value}>
                {text}
              </MenuItem>
            ))}
          </TextField>
        </Box>
      ))}
      {problems.map(({ stateId, message }) => (
        <Typography key={`${stateId} ${message}`} variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
          {stateId === "" ? message : t("{{step}}: {{reason}}", { step: stateId, reason: message })}
        </Typography>
      ))}
      {group.changed.length === 0 || group.verdict === "cannot" ? null : (
        <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: "anywhere" }}>
          {t("Changed since, and not done again: {{steps}}", { steps: group.changed.join(", ") })}
        </Typography>
      )}
      {group.passedReviews.length === 0 ? null : (
        <Alert severity="warning">
          {t("These reviews are not asked again on the new version: {{reviews}}", {
            reviews: group.passedReviews.join(", "),
          })}
        </Alert>
      )}
    </Box>
  );
}
