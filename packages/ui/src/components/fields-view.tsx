import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { getOwn, isObject, type Json, type JsonObject, readMoney, toLabel } from "@oven/contract";
import { currentLocale } from "@oven/i18n";
import type { ReactElement } from "react";
import { JsonView } from "./json-view.tsx";
import { ListView, readList } from "./list-view.tsx";
import { propertyNames } from "./schema-form/property-order.ts";
import { TextView } from "./text-view.tsx";
import { readToolResults, ToolResults } from "./tool-results.tsx";

function FieldValue({ name, value }: { name: string; value: Json }): ReactElement {
  const results = readToolResults(value);
  if (results !== null) return <ToolResults results={results} />;
  const list = readList(value);
  if (list !== null) return <ListView list={list} what={name} />;
  if (typeof value === "object" && value !== null) return <JsonView value={value} what={name} maxHeight={260} />;
  if (typeof value === "string" && isAddress(value))
    return (
      <Link href={value} target="_blank" rel="noopener noreferrer" underline="always" sx={{ overflowWrap: "anywhere" }}>
        {value}
      </Link>
    );
  return <TextView text={typeof value === "string" ? value : JSON.stringify(value)} />;
}

/** The whole text is the address of a page, so that what is opened is what is read. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/.test(text) && URL.canParse(text);
}

/** A value to be read by a person: text as text, an object field by field, tool results by their tools. */
export function FieldsView({
  value,
  what,
  schema = null,
  said = {},
}: {
  value: Json;
  what: string;
  /** Orders and names the fields. */
  schema?: JsonObject | null;
  /** What stands there instead of the value of a field, such as a person's name instead of an id. */
  said?: Readonly<Record<string, string>>;
}): ReactElement {
  if (!isObject(value) || Object.keys(value).length === 0) {
    return isObject(value) ? <JsonView value={value} what={what} /> : <FieldOrValue value={value} what={what} />;
  }
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(110px, auto) minmax(0, 1fr)" },
        columnGap: 2.5,
        rowGap: { xs: 0.25, sm: 0.875 },
      }}
    >
      {inOrder(value, schema).map(([name, child]) => (
        <Box key={name} sx={{ display: "contents" }}>
          <Box component="dt" sx={{ color: "text.secondary", fontSize: 13, lineHeight: "22px" }}>
            {toTitle(name, schema)}
          </Box>
          <Box component="dd" sx={{ m: 0, mb: { xs: 1, sm: 0 }, minWidth: 0, fontVariantNumeric: "tabular-nums" }}>
            <FieldValue
              name={name}
              value={getOwn(said, name) ?? readMoney(name, child, value, currentLocale()) ?? child}
            />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function FieldOrValue({ value, what }: { value: Json; what: string }): ReactElement {
  return typeof value === "string" ? <TextView text={value} /> : <FieldValue name={what} value={value} />;
}

/** The fields that the schema names come first, in its order. */
function inOrder(value: JsonObject, schema: JsonObject | null): [string, Json][] {
  const named = propertyNames(schema ?? {}).flatMap((name): [string, Json][] => {
    const child = getOwn(value, name);
    return child === undefined ? [] : [[name, child]];
  });
  const names = new Set(named.map(([name]) => name));
  return [...named, ...Object.entries(value).filter(([name]) => !names.has(name))];
}

function toTitle(name: string, schema: JsonObject | null): string {
  const property = isObject(schema?.properties) ? getOwn(schema.properties, name) : undefined;
  return isObject(property) && typeof property.title === "string" ? property.title : toLabel(name);
}
