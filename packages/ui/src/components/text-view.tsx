import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { isMarkdown } from "./is-markdown.ts";
import { MarkdownText } from "./markdown-text.tsx";

/** Longer texts are folded, in characters. */
const LONG = 1_500;

/** A text to be read by a person: Markdown as it is meant to look, or exactly as it was written; a long one folded. */
export function TextView({ text }: { text: string }): ReactElement {
  const [exact, setExact] = useState(false);
  const [open, setOpen] = useState(false);
  if (text === "")
    return (
      <Box component="span" sx={{ color: "text.secondary", fontSize: 14, lineHeight: "22px" }}>
        {t("(empty text)")}
      </Box>
    );
  const long = text.length > LONG;
  const markdown = isMarkdown(text);
  return (
    <Box sx={{ fontSize: 14, lineHeight: "22px" }}>
      <Box
        sx={{
          overflowWrap: "anywhere",
          ...(long && !open
            ? { maxHeight: 220, overflow: "hidden", maskImage: "linear-gradient(#000 75%, transparent)" }
            : {}),
        }}
      >
        {markdown && !exact ? <MarkdownText text={text} /> : <Box sx={{ whiteSpace: "pre-wrap" }}>{text}</Box>}
      </Box>
      {long || markdown ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, ml: -0.75 }}>
          {long ? (
            <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? t("Show less") : t("Show all {{count}} characters", { count: text.length })}
            </Button>
          ) : null}
          {markdown ? (
            <Button size="small" onClick={() => setExact(!exact)}>
              {exact ? t("Show formatted") : t("Show exactly as written")}
            </Button>
          ) : null}
        </Box>
      ) : null}
    </Box>
  );
}
