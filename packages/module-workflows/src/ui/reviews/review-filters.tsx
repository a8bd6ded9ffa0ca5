import SearchRounded from "@mui/icons-material/SearchRounded";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { SavedViews } from "@oven/ui/components/saved-views.tsx";
import { type ReactElement, useEffect, useState } from "react";
import { DEFAULT_VIEW, type ReviewView, writeView } from "./review-view.ts";

interface Choice {
  label: string;
  change: Partial<ReviewView>;
}

const SCOPES: readonly Choice[] = [
  { label: t("Mine"), change: { show: "mine" } },
  { label: t("Open"), change: { show: "open" } },
  { label: t("Decided"), change: { show: "decided" } },
];

const MORE: readonly Choice[] = [
  { label: t("Overdue"), change: { due: "overdue" } },
  { label: t("Due in a day"), change: { due: "day" } },
  { label: t("Oldest first"), change: { sort: "oldest" } },
];

interface ReviewFiltersProps {
  view: ReviewView;
  onChange: (change: Partial<ReviewView>) => void;
}

function Choices({
  label,
  choices,
  view,
  onChange,
}: ReviewFiltersProps & { label: string; choices: readonly Choice[] }) {
  return (
    <Box role="group" aria-label={label} sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
      {choices.map(({ label: word, change }) => {
        const [key, value] = Object.entries(change)[0] as [keyof ReviewView, string]; // cast: each choice has one key
        const chosen = view[key] === value;
        return (
          <Chip
            key={word}
            label={word}
            color={chosen ? "primary" : "default"}
            variant={chosen ? "filled" : "outlined"}
            aria-pressed={chosen}
            onClick={() => onChange(chosen ? { [key]: DEFAULT_VIEW[key] } : change)}
          />
        );
      })}
    </Box>
  );
}

export function ReviewScopes(props: ReviewFiltersProps): ReactElement {
  return <Choices label={t("Which reviews")} choices={SCOPES} {...props} />;
}

/** Search, deadlines and saved views. */
export function ReviewFilters({ view, onChange }: ReviewFiltersProps): ReactElement {
  const [text, setText] = useState(view.q);
  useEffect(() => setText(view.q), [view.q]);
  useEffect(() => {
    if (text === view.q) return;
    const timer = setTimeout(() => onChange({ q: text }), 250);
    return () => clearTimeout(timer);
  }, [text, view.q, onChange]);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.25, mb: 1.5 }}>
      <TextField
        type="search"
        placeholder={t("Search title or workflow")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        sx={{ width: { xs: "100%", sm: 300 } }}
        slotProps={{
          htmlInput: { "aria-label": t("Search title or workflow") },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchRounded sx={{ fontSize: 18 }} />
              </InputAdornment>
            ),
          },
        }}
      />
      {view.show === "decided" ? null : (
        <Choices label={t("Deadlines")} choices={MORE} view={view} onChange={onChange} />
      )}
      <SavedViews of="reviews" path="/reviews" search={writeView(view)} />
    </Box>
  );
}
