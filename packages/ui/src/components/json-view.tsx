import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { CopyButton } from "./copy-button.tsx";

const OPEN_DEPTH = 2;
const MANY = 200;

function Scalar({ value }: { value: null | boolean | number | string }): ReactElement {
  if (typeof value === "string") {
    return (
      <Box component="span" sx={{ color: "var(--oven-code-text)", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {JSON.stringify(value)}
      </Box>
    );
  }
  const colour = typeof value === "number" ? "var(--oven-code-number)" : "var(--oven-code-constant)";
  return <span style={{ color: colour }}>{String(value)}</span>;
}

function summarise(value: Json[] | { [key: string]: Json }): string {
  if (Array.isArray(value)) return `[ ${value.length} ]`;
  const keys = Object.keys(value);
  const shown = keys.slice(0, 4).join(", ");
  return `{ ${shown}${keys.length > 4 ? ", …" : ""} }`;
}

function Entry({ name, value, depth }: { name: string | null; value: Json; depth: number }): ReactElement {
  const label = name === null ? null : <span style={{ color: "var(--oven-code-key)" }}>{name}: </span>;
  const leaf = value === null || typeof value !== "object" || Object.keys(value).length === 0;
  if (leaf) {
    return (
      <Box sx={{ pl: 1.75 }}>
        {label}
        {value !== null && typeof value === "object" ? Array.isArray(value) ? "[]" : "{}" : <Scalar value={value} />}
      </Box>
    );
  }
  const entries = Object.entries(value);
  return (
    <Box
      component="details"
      open={depth < OPEN_DEPTH}
      sx={{ "& > summary": { cursor: "pointer", listStylePosition: "outside", ml: 1.75 } }}
    >
      <summary>
        {label}
        <Box component="span" sx={{ color: "text.secondary" }}>
          {summarise(value)}
        </Box>
      </summary>
      <Box sx={{ pl: 1.5, ml: 0.5, borderLeft: "1px solid var(--oven-border)" }}>
        {entries.slice(0, MANY).map(([key, child]) => (
          <Entry key={key} name={key} value={child} depth={depth + 1} />
        ))}
        {entries.length > MANY ? (
          <Box sx={{ pl: 1.75, color: "text.secondary" }}>
            {t("… {{count}} more; copy to see them", { count: entries.length - MANY })}
          </Box>
        ) : null}
      </Box>
    </Box>
  );
}

/** A value as a tree that folds. Native `details`, so it works from the keyboard. */
export function JsonView({
  value,
  what = t("the JSON"),
  maxHeight,
}: {
  value: Json;
  what?: string;
  maxHeight?: number;
}): ReactElement {
  return (
    <Box sx={{ position: "relative" }}>
      <Box sx={{ position: "absolute", top: 4, right: 4, zIndex: 1 }}>
        <CopyButton text={JSON.stringify(value, null, 2)} what={what} />
      </Box>
      <Box
        tabIndex={0}
        role="group"
        aria-label={what}
        sx={{
          fontFamily: MONOSPACE,
          fontSize: 12.5,
          lineHeight: "20px",
          p: 1.25,
          pr: 5,
          borderRadius: 2,
          bgcolor: "var(--oven-sunken)",
          overflow: "auto",
          ...(maxHeight === undefined ? {} : { maxHeight }),
        }}
      >
        <Entry name={null} value={value} depth={0} />
      </Box>
    </Box>
  );
}

/** Text as text, anything else as a tree. */
export function ValueView({ value, what }: { value: Json; what: string }): ReactElement {
  if (typeof value !== "string") return <JsonView value={value} what={what} maxHeight={420} />;
  return (
    <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: 14, lineHeight: "22px" }}>
      {value === "" ? (
        <Box component="span" sx={{ color: "text.secondary" }}>
          {t("(empty text)")}
        </Box>
      ) : (
        value
      )}
    </Box>
  );
}
