import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { AskAnswer } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import type { ReactElement } from "react";

const NUMBERS = /\[(\d{1,4})\]/;

/** What a model made of the passages; its numbers lead to them. */
export function FoundAnswer({
  answer: { answer, citations, model, usage, costMicros },
}: {
  answer: AskAnswer;
}): ReactElement | null {
  if (answer === null) return null;
  const known = new Set(citations.map(({ number }) => String(number)));
  let at = 0;
  return (
    <Box
      component="section"
      aria-label={t("The model's answer")}
      sx={{ p: 1.75, borderRadius: 2, bgcolor: "var(--oven-sunken)" }}
    >
      <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: 1.6 }}>
        {answer.split(NUMBERS).map((part, index) => {
          const key = at;
          at += part.length + 2;
          // Every second part is a number that stood in brackets.
          if (index % 2 === 0) return <span key={key}>{part}</span>;
          return known.has(part) ? (
            <Link key={key} href={`#passage-${part}`} underline="always">
              [{part}]
            </Link>
          ) : (
            <span key={key}>[{part}]</span>
          );
        })}
      </Box>
      <Box
        sx={{
          mt: 1,
          display: "flex",
          flexWrap: "wrap",
          gap: 1,
          alignItems: "center",
          fontSize: 12.5,
          color: "text.secondary",
        }}
      >
        {model === null ? null : <span>{`${model.providerId}:${model.modelId}`}</span>}
        <span>{formatTokens(usage)}</span>
        <span>{formatMoney(costMicros)}</span>
        {model?.simulated === true ? <SimulatedChip /> : null}
      </Box>
    </Box>
  );
}
