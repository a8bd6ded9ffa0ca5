import Box from "@mui/material/Box";
import { getOwn, isObject, type Json, type JsonObject, toLabel } from "@oven/contract";
import type { ReactElement } from "react";

/** Longer lists, wider rows and longer texts are shown as a tree. */
const MOST_ROWS = 50;
const MOST_COLUMNS = 6;
const LONGEST = 120;

/** Lists that read well without their JSON: of plain values, and of rows with the same few fields. */
export type ReadableList =
  | { kind: "values"; texts: string[] }
  | { kind: "rows"; columns: string[]; rows: JsonObject[] };

/** Null: anything else. */
export function readList(value: Json): ReadableList | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_ROWS) return null;
  if (value.every(isShort)) return { kind: "values", texts: value.map(toText) };
  if (!value.every((row): row is JsonObject => isObject(row) && Object.values(row).every(isShort))) return null;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return columns.length > MOST_COLUMNS || columns.length === 0 ? null : { kind: "rows", columns, rows: value };
}

function isShort(value: Json): boolean {
  return value === null || (typeof value !== "object" && String(value).length <= LONGEST);
}

function toText(value: Json | undefined): string {
  return value === undefined || value === null ? "–" : String(value);
}

/** A short list to be read by a person. */
export function ListView({ list, what }: { list: ReadableList; what: string }): ReactElement {
  if (list.kind === "values")
    return (
      <Box component="ul" aria-label={what} sx={{ m: 0, pl: 2.25, fontSize: 14, lineHeight: "22px" }}>
        {list.texts.map((text, index) => (
          <Box component="li" key={`${index} ${text}`} sx={{ overflowWrap: "anywhere" }}>
            {text}
          </Box>
        ))}
      </Box>
    );
  return (
    <Box role="group" aria-label={what} tabIndex={0} sx={{ overflowX: "auto" }}>
      <Box
        component="table"
        sx={{
          borderCollapse: "collapse",
          fontSize: 13,
          fontVariantNumeric: "tabular-nums",
          "& :is(th, td)": {
            px: 1,
            py: 0.5,
            border: 1,
            borderColor: "divider",
            textAlign: "left",
            verticalAlign: "top",
            overflowWrap: "anywhere",
          },
          "& th": { fontWeight: 600, color: "text.secondary" },
        }}
      >
        <thead>
          <tr>
            {list.columns.map((column) => (
              <th key={column} scope="col">
                {toLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row, index) => (
            <tr key={`${index} ${JSON.stringify(row)}`}>
              {list.columns.map((column) => (
                <td key={column}>{toText(getOwn(row, column))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
