import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import type { ReactElement } from "react";

/** Whether the decision is also about those that propose the very same. */
export function EqualChoice({
  equal,
  chosen,
  onChange,
}: {
  equal: readonly Review[];
  chosen: boolean;
  onChange: (chosen: boolean) => void;
}): ReactElement | null {
  useShortcuts({ x: () => onChange(!chosen) });
  if (equal.length === 0) return null;
  const runs = equal.map(({ executionId }) => `#${executionId}`);
  const named = runs.length > 4 ? [...runs.slice(0, 4), "…"] : runs;
  return (
    <FormControlLabel
      sx={{ mr: 0 }}
      control={
        <Checkbox
          size="small"
          checked={chosen}
          aria-keyshortcuts="x"
          onChange={(event) => onChange(event.target.checked)}
        />
      }
      label={t("Together with {{count}} equal ones ({{names}})", { count: equal.length, names: named.join(", ") })}
      slotProps={{ typography: { variant: "body2" } }}
    />
  );
}
