import SearchRounded from "@mui/icons-material/SearchRounded";
import Box from "@mui/material/Box";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useId, useState } from "react";
import { MONOSPACE } from "../theme/tokens.ts";
import { FieldsView } from "./fields-view.tsx";
import { findInValue } from "./find-in-value.ts";

/** Longer values can be searched, in characters of JSON. */
const LONG = 2_000;
const MOST = 50;

/** A value to be read by a person; a long one can be searched. */
export function SearchableFields({ value, what }: { value: Json; what: string }): ReactElement {
  const [text, setText] = useState("");
  const wanted = text.trim();
  if (JSON.stringify(value).length <= LONG) return <FieldsView value={value} what={what} />;
  return (
    <Box sx={{ display: "grid", gap: 1.25 }}>
      <TextField
        type="search"
        size="small"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={t("Search in {{what}}", { what })}
        sx={{ maxWidth: 320 }}
        slotProps={{
          htmlInput: { "aria-label": t("Search in {{what}}", { what }) },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchRounded sx={{ fontSize: 18 }} />
              </InputAdornment>
            ),
          },
        }}
      />
      {wanted === "" ? <FieldsView value={value} what={what} /> : <Matches value={value} wanted={wanted} />}
    </Box>
  );
}

function Matches({ value, wanted }: { value: Json; wanted: string }): ReactElement {
  const heading = useId();
  const matches = findInValue(value, wanted, MOST + 1);
  const shown = matches.slice(0, MOST);
  return (
    <Box>
      <Box id={heading} role="status" sx={{ mb: 0.5, fontSize: 13, color: "text.secondary" }}>
        {matches.length > MOST
          ? t("The first {{count}} places", { count: MOST })
          : t("{{count}} places", { count: matches.length })}
      </Box>
      <Box component="ul" aria-labelledby={heading} sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
        {shown.map(({ path, text }) => (
          <Box component="li" key={path} sx={{ overflowWrap: "anywhere" }}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{path}</Box>
            <Box sx={{ whiteSpace: "pre-wrap" }}>{text}</Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
