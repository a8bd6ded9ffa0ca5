import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Execution } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { TextView } from "@oven/ui/components/text-view.tsx";
import { type ReactElement, useState } from "react";
import { ReviewSection } from "./review-section.tsx";
import { type Source, toSources } from "./sources.ts";

/** How many are shown at first. */
const FIRST = 5;

/** What the proposal was made from: passages, folded below the title of their document, and pages. Nothing where the run read nothing. */
export function SourcesRead({ run }: { run: Pick<Execution, "nodes"> }): ReactElement | null {
  const [all, setAll] = useState(false);
  const sources = toSources(run.nodes);
  if (sources.length === 0) return null;
  return (
    <ReviewSection title={t("Sources")}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75, fontSize: 14 }}>
        {sources.slice(0, all ? undefined : FIRST).map((source) => (
          <Box component="li" key={JSON.stringify(source)} sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            <SourceRead source={source} />
          </Box>
        ))}
      </Box>
      {sources.length > FIRST && !all ? (
        <Button size="small" onClick={() => setAll(true)}>
          {t("Show all {{total}}", { total: sources.length })}
        </Button>
      ) : null}
    </ReviewSection>
  );
}

function SourceRead({ source }: { source: Source }): ReactElement {
  // An address from a run is no link: who reads it decides whether to go there.
  if (source.kind === "page") return <span>{source.url}</span>;
  const { title, headings, text } = source;
  return (
    <details>
      <Box component="summary" sx={{ cursor: "pointer" }}>
        {[title, ...headings].join(" › ")}
      </Box>
      <Box sx={{ mt: 0.5, pl: 2 }}>
        <TextView text={text} />
      </Box>
    </details>
  );
}
