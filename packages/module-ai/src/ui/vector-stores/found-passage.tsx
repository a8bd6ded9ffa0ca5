import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { VectorMatch, VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import type { ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";
import { markWords } from "./marked-words.ts";

/** One match: where it stands, how it scored, and its text with the words that were looked for. */
export function FoundPassage({
  store,
  match: { score, similarity, source, key, text, metadata },
  number,
  query,
  best,
}: {
  store: VectorStore;
  match: VectorMatch;
  number: number;
  query: string;
  /** The best score, for the bar. */
  best: number;
}): ReactElement {
  const share = best > 0 ? Math.max(0, Math.min(1, score / best)) : 0;
  return (
    <Box
      component="article"
      id={`passage-${number}`}
      aria-label={t("Passage {{number}}", { number })}
      sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}
    >
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          columnGap: 1.5,
          px: 1.5,
          pt: 1.25,
          fontSize: 13,
          color: "text.secondary",
          fontVariantNumeric: "tabular-nums",
        }}
      >
        <Box sx={{ flex: "1 1 220px", overflowWrap: "anywhere" }}>
          [{number}]{" "}
          {source === null ? (
            key
          ) : (
            <Link
              component={RouterLink}
              to={`/vector-stores/${store.id}/documents/${source.documentId}?chunk=${source.chunk}`}
              underline="always"
            >
              {[source.title, ...source.headings].join(" › ")}
            </Link>
          )}
        </Box>
        <span>
          {t("score {{score}}", { score: score.toFixed(3) })}
          {similarity === null ? "" : ` · ${t("alike {{similarity}}", { similarity: similarity.toFixed(3) })}`}
        </span>
      </Box>
      <Box aria-hidden sx={{ mx: 1.5, mt: 0.75, height: 4, borderRadius: 2, bgcolor: "var(--oven-sunken)" }}>
        <Box sx={{ width: `${share * 100}%`, height: 4, borderRadius: 2, bgcolor: "primary.main" }} />
      </Box>
      <MarkedText text={text} query={query} />
      {Object.keys(metadata).length === 0 ? null : (
        <Box component="details" sx={{ px: 1.5, pb: 1.25, "& > summary": { cursor: "pointer", fontSize: 12.5 } }}>
          <summary>{t("Metadata")}</summary>
          <JsonView value={metadata} what={t("the metadata")} maxHeight={200} />
        </Box>
      )}
    </Box>
  );
}

export function MarkedText({ text, query }: { text: string; query: string }): ReactElement {
  let at = 0;
  return (
    <Box sx={{ px: 1.5, py: 1.25, whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: 14, lineHeight: 1.55 }}>
      {markWords(text, query).map((part) => {
        const key = at;
        at += part.text.length;
        return part.marked ? (
          <Box
            component="mark"
            key={key}
            sx={{ px: 0.25, borderRadius: 0.5, color: "inherit", bgcolor: "var(--oven-status-paused-soft)" }}
          >
            {part.text}
          </Box>
        ) : (
          <span key={key}>{part.text}</span>
        );
      })}
    </Box>
  );
}
