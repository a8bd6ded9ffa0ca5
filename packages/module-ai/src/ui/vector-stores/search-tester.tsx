import SearchRounded from "@mui/icons-material/SearchRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { AskAnswer, QueryVectorsAnswer, SearchMode, VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { FoundAnswer } from "./found-answer.tsx";
import { FoundPassage } from "./found-passage.tsx";
import { readFilter } from "./read-filter.ts";

const MODES: readonly { value: SearchMode; label: string }[] = [
  { value: "hybrid", label: t("Meaning and words") },
  { value: "vector", label: t("Meaning") },
  { value: "text", label: t("Words") },
];
const MOST_PASSAGES = 100;

interface Found extends QueryVectorsAnswer {
  query: string;
  answer: AskAnswer | null;
}

/** A search as an agent makes it, with what it is scored by; or a question that a model answers from what is found. */
export function SearchTester({ store, mayAsk }: { store: VectorStore; mayAsk: boolean }): ReactElement {
  const [parameters, setParameters] = useSearchParams();
  const [query, setQuery] = useState(parameters.get("query") ?? "");
  const [topK, setTopK] = useState(parameters.get("topK") ?? "5");
  const [mode, setMode] = useState<SearchMode>(
    MODES.find(({ value }) => value === parameters.get("mode"))?.value ?? "hybrid",
  );
  const [minScore, setMinScore] = useState("");
  const [filter, setFilter] = useState("");
  const [rerank, setRerank] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const read = readFilter(filter);
  const count = Number(topK);
  const isCount = Number.isInteger(count) && count >= 1 && count <= MOST_PASSAGES;
  const isScore = minScore.trim() === "" || Number.isFinite(Number(minScore));
  const usable = query.trim() !== "" && read.ok && isCount && isScore;
  const { busy, failure, run } = useAction(async (ask: boolean) => {
    // A link to this search; what was looked for stays in the address, what was found does not.
    setParameters({ tab: "search", query, topK, mode }, { replace: true });
    const options = {
      query,
      topK: count,
      mode,
      rerank,
      ...(read.ok && read.filter !== undefined ? { filter: read.filter } : {}),
      ...(minScore.trim() === "" ? {} : { minScore: Number(minScore) }),
    };
    if (ask) {
      const { json } = await api("ai/rag/ask", { method: "POST", body: { ...options, store: store.slug } });
      const answer = json as AskAnswer; // cast: the shape of the route
      setFound({ query, answer, matches: answer.matches, warnings: answer.warnings });
    } else {
      const { json } = await api(`vector-stores/${store.id}/query`, { method: "POST", body: options });
      setFound({ query, answer: null, ...(json as QueryVectorsAnswer) }); // cast: the shape of the route
    }
  });
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box
        component="form"
        aria-label={t("Search this store")}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (usable) void run(false);
        }}
        sx={{ display: "grid", gap: 1.5 }}
      >
        <TextField
          fullWidth
          label={t("What to look for")}
          placeholder={t("How long may a customer return something?")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Box
          sx={{
            display: "grid",
            gap: 1.5,
            gridTemplateColumns: { xs: "1fr 1fr", md: "180px 120px 140px minmax(0, 1fr)" },
          }}
        >
          <ChoiceField label={t("By")} value={mode} choices={MODES} onChange={setMode} />
          <TextField
            label={t("How many")}
            value={topK}
            error={!isCount}
            helperText={isCount ? undefined : t("1 to {{MOST_PASSAGES}}", { MOST_PASSAGES })}
            onChange={(event) => setTopK(event.target.value)}
            slotProps={{ htmlInput: { inputMode: "numeric" } }}
          />
          <TextField
            label={t("Least score")}
            placeholder={t("any")}
            value={minScore}
            error={!isScore}
            helperText={isScore ? undefined : t("A number")}
            onChange={(event) => setMinScore(event.target.value)}
            slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
          />
          <TextField
            label={t("Only with this metadata")}
            placeholder={t('{"lang": "en"}')}
            value={filter}
            error={!read.ok}
            helperText={read.ok ? undefined : read.message}
            onChange={(event) => setFilter(event.target.value)}
            slotProps={{
              htmlInput: { style: { fontFamily: MONOSPACE, fontSize: 12.5 } },
              inputLabel: { shrink: true },
            }}
          />
        </Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
          <Button type="submit" variant="contained" startIcon={<SearchRounded />} loading={busy} disabled={!usable}>
            {t("Search")}
          </Button>
          {mayAsk ? (
            <Button variant="outlined" disabled={!usable || busy} onClick={() => void run(true)}>
              {t("Ask a model")}
            </Button>
          ) : null}
          <FormControlLabel
            control={<Switch checked={rerank} onChange={(event) => setRerank(event.target.checked)} />}
            label={t("A model puts them in order")}
          />
        </Box>
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("Nothing was looked for")} />}
      {found === null ? null : <Results store={store} found={found} />}
    </Box>
  );
}

function Results({ store, found }: { store: VectorStore; found: Found }): ReactElement {
  const { matches, warnings, answer, query } = found;
  const best = Math.max(...matches.map(({ score }) => score), 0);
  return (
    <Box role="region" aria-label={t("What was found")} sx={{ display: "grid", gap: 1.5 }}>
      {warnings.map((warning) => (
        <Alert key={warning} severity="warning">
          {warning}
        </Alert>
      ))}
      {answer === null ? null : <FoundAnswer answer={answer} />}
      {matches.length === 0 ? (
        <EmptyState
          icon={<SearchRounded />}
          title={t("Nothing was found")}
          text={t("Say it in other words, look by meaning, or take away the least score and the metadata.")}
        />
      ) : null}
      {matches.map((match, index) => (
        <FoundPassage key={match.id} store={store} match={match} number={index + 1} query={query} best={best} />
      ))}
    </Box>
  );
}
