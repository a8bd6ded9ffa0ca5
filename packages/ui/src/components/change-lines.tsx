import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { Fragment, type ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { diffTexts, shortenSame, type TextPart } from "./text-diff.ts";

export interface ChangeLine {
  /** The name of the field; empty: the value as a whole. */
  name: string;
  before: Json | undefined;
  after: Json | undefined;
}

const show = (value: Json | undefined): string =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

/** Fields with their values before and after. */
export function ChangeLines({
  label,
  lines,
  paths = false,
}: {
  /** For who cannot see what stands above. */
  label: string;
  lines: readonly ChangeLine[];
  /** The names are paths. */
  paths?: boolean;
}): ReactElement {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 1 }}>
      {lines.map(({ name, before, after }) => (
        <Box
          component="li"
          key={name}
          sx={{ fontSize: 13, lineHeight: "20px", overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
        >
          {name === "" ? null : (
            <Box sx={{ color: "text.secondary", ...(paths ? { fontFamily: MONOSPACE, fontSize: 12 } : {}) }}>
              {name}
            </Box>
          )}
          <Change before={before} after={after} />
        </Box>
      ))}
    </Box>
  );
}

/** Two texts that resemble each other word by word in one line; anything else as old, then new. */
function Change({ before, after }: Pick<ChangeLine, "before" | "after">): ReactElement {
  const parts = typeof before === "string" && typeof after === "string" ? diffTexts(before, after) : null;
  if (parts !== null) return <Words parts={shortenSame(parts)} />;
  return (
    <>
      <Value element="del" tone="failed" text={show(before)} />
      {" → "}
      <Value element="ins" tone="completed" text={show(after)} />
    </>
  );
}

function Words({ parts }: { parts: readonly TextPart[] }): ReactElement {
  return (
    <>
      {parts.map(({ kind, text }, index) => {
        const key = `${index} ${kind}`;
        if (kind === "same") return <Fragment key={key}>{text}</Fragment>;
        return kind === "removed" ? (
          <Value key={key} element="del" tone="failed" text={text} />
        ) : (
          <Value key={key} element="ins" tone="completed" text={text} />
        );
      })}
    </>
  );
}

function Value({
  element,
  tone,
  text,
}: {
  element: "del" | "ins";
  tone: "failed" | "completed";
  text: string;
}): ReactElement {
  return (
    <Box
      component={element}
      sx={{
        px: 0.25,
        borderRadius: 0.5,
        ...(element === "ins" ? { textDecoration: "none" } : {}),
        bgcolor: `var(--oven-status-${tone}-soft)`,
        color: `var(--oven-status-${tone})`,
      }}
    >
      {text}
    </Box>
  );
}
