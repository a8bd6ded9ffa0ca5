import AddRounded from "@mui/icons-material/AddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import {
  freeName,
  kindOf,
  propertiesOf,
  restOf,
  withKeyword,
  withProperties,
  withRest,
} from "../../inspector/schema-builder.ts";
import { JsonField } from "./json-field.tsx";
import { KindSelect } from "./kind-select.tsx";
import { SchemaField } from "./schema-field.tsx";
import { SchemaLimits } from "./schema-limits.tsx";
import type { SchemaPartProps } from "./schema-props.ts";

/** One part of a schema: its kind, and what goes with the kind. What no control shows stands below as JSON. */
export function SchemaPart(props: SchemaPartProps): ReactElement {
  const { name, schema, onChange, rootOnly = false, kindShown = true, ordered } = props;
  const kind = kindOf(schema);
  const object: JsonObject = typeof schema === "object" && schema !== null && !Array.isArray(schema) ? schema : {};
  const rest = kind === "other" ? null : restOf(object);
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      {!kindShown || (rootOnly && kind === "object") ? null : (
        <KindSelect name={name} schema={schema} onChange={onChange} />
      )}
      {kind === "other" ? (
        <OnlyJson
          label={name}
          hint={t("Written in a way that only JSON can say; it stays as it is.")}
          value={schema}
          onChange={(next) => onChange(next, false)}
        />
      ) : null}
      {kind === "choice" ? (
        <Choices
          name={name}
          choices={Array.isArray(object.enum) ? object.enum.map(String) : []}
          onChange={(next) => onChange(withKeyword(object, "enum", next), false)}
        />
      ) : null}
      {kind === "list" ? (
        <Nested label={t("Entries of {{name}}", { name })}>
          <SchemaPart
            name={t("Entry of {{name}}", { name })}
            schema={object.items ?? {}}
            ordered={ordered}
            onChange={(next, done) => onChange(withKeyword(object, "items", next), done)}
          />
        </Nested>
      ) : null}
      {kind === "object" ? (
        <Fields name={name} schema={object} ordered={ordered} onChange={onChange} nested={!rootOnly} />
      ) : null}
      <SchemaLimits name={name} schema={object} onChange={(next) => onChange(next, false)} />
      {rest === null || Object.keys(rest).length === 0 ? null : (
        <OnlyJson
          label={t("More of {{name}}", { name })}
          hint={t("What only JSON can say about it.")}
          value={rest}
          onChange={(next) => onChange(withRest(object, next), false)}
        />
      )}
    </Box>
  );
}

function Fields({
  name,
  schema,
  ordered,
  onChange,
  nested,
}: SchemaPartProps & { schema: JsonObject; nested: boolean }): ReactElement {
  const fields = propertiesOf(schema);
  const [added, setAdded] = useState<number | null>(null);
  const change = (next: typeof fields, done: boolean): void => onChange(withProperties(schema, next, ordered), done);
  const body = (
    <>
      {fields.map((field, index) => (
        <SchemaField
          Part={SchemaPart}
          // Its place: while it is renamed, it stays the same field.
          key={index}
          field={field}
          of={name}
          isFirst={index === 0}
          isNew={index === added}
          ordered={ordered}
          isTaken={(other) => fields.some((one) => one !== field && one.name === other)}
          onChange={(next, done) =>
            change(
              fields.map((one) => (one === field ? next : one)),
              done,
            )
          }
          onMoveUp={() => {
            const others = fields.filter((one) => one !== field);
            change([...others.slice(0, index - 1), field, ...others.slice(index - 1)], true);
          }}
          onRemove={() =>
            change(
              fields.filter((one) => one !== field),
              true,
            )
          }
        />
      ))}
      <Button
        size="small"
        variant="outlined"
        startIcon={<AddRounded />}
        sx={{ justifySelf: "start" }}
        onClick={() => {
          setAdded(fields.length);
          change([...fields, { name: freeName(fields), required: false, schema: { type: "string" } }], true);
        }}
      >
        {nested ? t("Add a field to {{name}}", { name }) : t("Add a field")}
      </Button>
    </>
  );
  return nested ? (
    <Nested label={t("Fields of {{name}}", { name })}>{body}</Nested>
  ) : (
    <Box sx={{ display: "grid", gap: 1 }}>{body}</Box>
  );
}

function Nested({ label, children }: { label: string; children: ReactElement }): ReactElement {
  return (
    <Box
      role="group"
      aria-label={label}
      sx={{ display: "grid", gap: 1, minWidth: 0, pl: 1, borderLeft: 2, borderColor: "divider" }}
    >
      {children}
    </Box>
  );
}

/** One choice a line: easy to type, to paste and to put in order. */
function Choices({
  name,
  choices,
  onChange,
}: {
  name: string;
  choices: string[];
  onChange: (choices: string[]) => void;
}): ReactElement {
  return (
    <TextField
      multiline
      minRows={2}
      label={t("Choices, one a line")}
      value={choices.join("\n")}
      onChange={(event) => onChange(event.target.value === "" ? [] : event.target.value.split("\n"))}
      slotProps={{ htmlInput: { "aria-label": t("Choices of {{name}}, one a line", { name }) } }}
    />
  );
}

function OnlyJson({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  value: Json;
  onChange: (value: JsonObject) => void;
}): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.5, minWidth: 0 }}>
      <JsonField
        id={`json-${label}`}
        label={label}
        value={value}
        onChange={(next) => {
          if (typeof next === "object" && next !== null && !Array.isArray(next)) onChange(next);
        }}
      />
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{hint}</Box>
    </Box>
  );
}
