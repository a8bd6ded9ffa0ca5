import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { type ReactElement, useMemo } from "react";
import Markdown, { type Components } from "react-markdown";

/*
 * Models write Markdown, and whoever steers a model writes it too. HTML in it is shown as text; links go to http, https and
 * mailto only, in a window that knows nothing of this one; a picture is a link, because loading it would tell its host what
 * stands in its address.
 */
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noopener noreferrer nofollow">
      {alt === undefined || alt === "" ? t("picture") : alt}
    </a>
  ),
};

export interface MarkdownTextProps {
  text: string;
  /** What a link does here, such as to show a step; null: it is a link like any other. */
  toAction?: ((href: string) => (() => void) | null) | undefined;
}

function withActions(toAction: NonNullable<MarkdownTextProps["toAction"]>): Components {
  return {
    ...COMPONENTS,
    a: ({ href = "", children }) => {
      const act = toAction(href);
      if (act === null)
        return (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow">
            {children}
          </a>
        );
      return (
        <a
          href={href}
          onClick={(event) => {
            event.preventDefault();
            act();
          }}
        >
          {children}
        </a>
      );
    },
  };
}

/** What a model wrote, as it meant it to look. */
export function MarkdownText({ text, toAction }: MarkdownTextProps): ReactElement | null {
  const components = useMemo(() => (toAction === undefined ? COMPONENTS : withActions(toAction)), [toAction]);
  if (text === "") return null;
  return (
    <Box
      sx={{
        overflowWrap: "anywhere",
        lineHeight: "22px",
        "& > *": { my: 0 },
        "& > * + *": { mt: 1 },
        "& p": { whiteSpace: "pre-line" },
        "& :is(h1, h2, h3, h4, h5, h6)": { fontSize: 14, fontWeight: 650, lineHeight: "22px" },
        "& :is(ul, ol)": { pl: 2.5 },
        "& a": { color: "primary.main" },
        "& pre": {
          p: 1.25,
          borderRadius: 1,
          overflowX: "auto",
          bgcolor: "action.hover",
          fontSize: 12.5,
        },
        "& blockquote": { m: 0, pl: 1.5, borderLeft: "3px solid", borderColor: "divider", color: "text.secondary" },
      }}
    >
      <Markdown components={components}>{text}</Markdown>
    </Box>
  );
}
