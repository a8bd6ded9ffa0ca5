import SearchRounded from "@mui/icons-material/SearchRounded";
import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import InputAdornment from "@mui/material/InputAdornment";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { Pagination, useListContext } from "react-admin";
import { EmptyState } from "./empty-state.tsx";
import { ErrorPanel } from "./error-panel.tsx";
import { Panel } from "./panel.tsx";

/** Search as you type, kept in the URL by React Admin. */
export function SearchField({ label }: { label: string }): ReactElement {
  const { filterValues, setFilters } = useListContext();
  const applied = typeof filterValues.q === "string" ? filterValues.q : "";
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  useEffect(() => {
    if (text === applied) return;
    const timer = setTimeout(() => {
      const { q: _, ...others } = filterValues;
      setFilters(text === "" ? others : { ...others, q: text });
    }, 250);
    return () => clearTimeout(timer);
  }, [text, applied, filterValues, setFilters]);
  return (
    <TextField
      type="search"
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      sx={{ width: { xs: "100%", sm: 260 } }}
      slotProps={{
        htmlInput: { "aria-label": label },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchRounded sx={{ fontSize: 18 }} />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}

export interface FilterChoice {
  label: string;
  value: string | boolean | readonly (string | boolean)[];
}

/** One filter as chips; the chosen one can be taken off again. */
export function FilterChips({
  field,
  label,
  choices,
}: {
  field: string;
  label: string;
  choices: FilterChoice[];
}): ReactElement {
  const { filterValues, setFilters } = useListContext();
  return (
    <Box role="group" aria-label={label} sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
      {choices.map((choice) => {
        const chosen = JSON.stringify(filterValues[field]) === JSON.stringify(choice.value);
        return (
          <Chip
            key={choice.label}
            label={choice.label}
            variant={chosen ? "filled" : "outlined"}
            color={chosen ? "primary" : "default"}
            aria-pressed={chosen}
            onClick={() => {
              const { [field]: _, ...others } = filterValues;
              setFilters(chosen ? others : { ...others, [field]: choice.value });
            }}
          />
        );
      })}
    </Box>
  );
}

export interface ListBodyProps {
  /** Shown when there is nothing at all. */
  empty: ReactElement;
  filters?: ReactNode;
  children: ReactNode;
  noun: string;
}

/** Loading, failed, empty, nothing found, or the rows: every list has all five. */
export function ListBody({ empty, filters, children, noun }: ListBodyProps): ReactElement {
  const { isPending, error, total, refetch, filterValues, setFilters } = useListContext();
  const filtered = Object.keys(filterValues).length > 0;
  if (error)
    return (
      <ErrorPanel
        error={error}
        title={t("The {{noun}} could not be loaded", { noun })}
        onRetry={() => void refetch()}
      />
    );
  if (!isPending && total === 0 && !filtered) return <Panel>{empty}</Panel>;
  return (
    <>
      {filters === undefined ? null : (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.25, alignItems: "center", mb: 1.5 }}>{filters}</Box>
      )}
      <Panel flush>
        {isPending ? (
          <Box sx={{ p: 2 }} role="status" aria-label={t("Loading {{noun}}", { noun })}>
            {[0, 1, 2, 3, 4].map((row) => (
              <Skeleton key={row} height={36} />
            ))}
          </Box>
        ) : total === 0 ? (
          <EmptyState
            icon={<SearchRounded />}
            title={t("No {{noun}} match", { noun })}
            text={t("Nothing fits this search and these filters.")}
            action={<Chip label={t("Clear search and filters")} onClick={() => setFilters({})} />}
          />
        ) : (
          <>
            <Box sx={{ overflowX: "auto" }}>{children}</Box>
            {(total ?? 0) > 25 ? <Pagination rowsPerPageOptions={[25, 50, 100]} /> : null}
          </>
        )}
      </Panel>
    </>
  );
}
