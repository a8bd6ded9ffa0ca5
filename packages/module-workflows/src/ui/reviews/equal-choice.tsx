import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import type { ReactElement } from "react";

export interface EqualChoiceProps {
  equal: readonly Review[];
  /** The ids of those that the decision is also about; null: of none, and they are not listed. */
  chosen: ReadonlySet<number> | null;
  onChange: (chosen: ReadonlySet<number> | null) => void;
}

/** Whether the decision is also about those that show the very same, each of which can be left out. */
export function EqualChoice({ equal, chosen, onChange }: EqualChoiceProps): ReactElement | null {
  const toggle = (): void => onChange(chosen === null ? new Set(equal.map(({ id }) => id)) : null);
  useShortcuts({ x: toggle });
  if (equal.length === 0) return null;
  return (
    <Box>
      <FormControlLabel
        sx={{ mr: 0 }}
        control={<Checkbox size="small" checked={chosen !== null} aria-keyshortcuts="x" onChange={toggle} />}
        label={t("Together with {{count}} equal ones", { count: equal.length })}
        slotProps={{ typography: { variant: "body2" } }}
      />
      {chosen === null ? null : (
        <Box
          component="ul"
          aria-label={t("Equal reviews")}
          sx={{ m: 0, pl: 3, listStyle: "none", maxHeight: 160, overflowY: "auto" }}
        >
          {equal.map((review) => (
            <li key={review.id}>
              <FormControlLabel
                sx={{ mr: 0 }}
                control={
                  <Checkbox
                    size="small"
                    sx={{ p: 0.5 }}
                    checked={chosen.has(review.id)}
                    onChange={(event) => {
                      const next = new Set(chosen);
                      if (event.target.checked) next.add(review.id);
                      else next.delete(review.id);
                      onChange(next);
                    }}
                  />
                }
                label={
                  <>
                    {review.title} · #{review.executionId} · <RelativeTime at={review.createdAt} />
                  </>
                }
                slotProps={{ typography: { variant: "body2" } }}
              />
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
}
