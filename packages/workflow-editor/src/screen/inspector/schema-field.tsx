import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import ExpandLessRounded from "@mui/icons-material/ExpandLessRounded";
import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ComponentType, type ReactElement, useState } from "react";
import { kindOf, restOf, type SchemaProperty, withKeyword } from "../../inspector/schema-builder.ts";
import { KindSelect } from "./kind-select.tsx";
import { SchemaDefault } from "./schema-default.tsx";
import type { SchemaPartProps } from "./schema-props.ts";

export interface SchemaFieldProps {
  field: SchemaProperty;
  /** What it is a field of. */
  of: string;
  isFirst: boolean;
  /** It was just added. */
  isNew: boolean;
  ordered: boolean;
  isTaken: (name: string) => boolean;
  /** Shows what the field is made of. */
  Part: ComponentType<SchemaPartProps>;
  onChange: (field: SchemaProperty, done: boolean) => void;
  onMoveUp: () => void;
  onRemove: () => void;
}

const ICON = { fontSize: 16 } as const;

/** One field of an object: name and type in a row, everything else below on demand. */
export function SchemaField(props: SchemaFieldProps): ReactElement {
  const { field, of, isFirst, isNew, ordered, isTaken, Part, onChange, onMoveUp, onRemove } = props;
  const { name, required, schema } = field;
  const kind = kindOf(schema);
  const [open, setOpen] = useState(false);
  const object: JsonObject = typeof schema === "object" && schema !== null && !Array.isArray(schema) ? schema : {};
  const set = (next: JsonObject, done: boolean): void => onChange({ ...field, schema: next }, done);
  const isDeep = kind === "object" || kind === "list" || kind === "choice";
  const hasMore = kind !== "other" && Object.keys(restOf(object)).length > 0;
  const Icon = open ? ExpandLessRounded : ExpandMoreRounded;
  return (
    <Box
      role="group"
      aria-label={t("Field {{name}}", { name })}
      sx={{ display: "grid", gap: 1, p: 1, border: 1, borderColor: "divider", borderRadius: 2, minWidth: 0 }}
    >
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr) minmax(0, 0.8fr)", gap: 1 }}>
        <NameInput
          name={name}
          of={of}
          isNew={isNew}
          isTaken={isTaken}
          onRename={(next) => onChange({ ...field, name: next }, true)}
        />
        <KindSelect
          name={name}
          schema={schema}
          onChange={(next, done) => {
            // What it is made of is asked for at once.
            if (["object", "list", "choice"].includes(kindOf(next))) setOpen(true);
            set(next, done);
          }}
        />
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.25 }}>
        <FormControlLabel
          label={t("Required")}
          control={
            <Switch
              size="small"
              checked={required}
              onChange={(event) => onChange({ ...field, required: event.target.checked }, true)}
              slotProps={{ input: { "aria-label": t("{{name}} is required", { name }) } }}
            />
          }
          slotProps={{ typography: { sx: { fontSize: 12.5 } } }}
          sx={{ flex: 1, m: 0 }}
        />
        <IconButton
          size="small"
          aria-label={
            isDeep || hasMore
              ? t("Details of {{name}} and what it is made of", { name })
              : t("Details of {{name}}", { name })
          }
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon sx={ICON} />
        </IconButton>
        {ordered ? (
          <IconButton size="small" aria-label={t("Move {{name}} up", { name })} disabled={isFirst} onClick={onMoveUp}>
            <ArrowUpwardRounded sx={ICON} />
          </IconButton>
        ) : null}
        <IconButton size="small" aria-label={t("Remove {{name}}", { name })} onClick={onRemove}>
          <DeleteOutlineRounded sx={ICON} />
        </IconButton>
      </Box>
      {open ? (
        <>
          {kind === "other" ? null : (
            <>
              <TextField
                label={t("Description")}
                multiline
                maxRows={4}
                value={typeof object.description === "string" ? object.description : ""}
                onChange={(event) =>
                  set(
                    withKeyword(object, "description", event.target.value === "" ? undefined : event.target.value),
                    false,
                  )
                }
                slotProps={{ htmlInput: { "aria-label": t("Description of {{name}}", { name }) } }}
              />
              <SchemaDefault name={name} schema={object} onChange={(next) => set(next, false)} />
            </>
          )}
          <Part name={name} schema={schema} kindShown={false} ordered={ordered} onChange={set} />
        </>
      ) : null}
    </Box>
  );
}

/** Renames when it is left, or on Enter: until then a field of the same beginning is not lost. */
function NameInput({
  name,
  of,
  isNew,
  isTaken,
  onRename,
}: {
  name: string;
  of: string;
  /** It was just added: its name is typed at once. */
  isNew: boolean;
  isTaken: (name: string) => boolean;
  onRename: (name: string) => void;
}): ReactElement {
  // Only during typing: what undo brings back is never hidden behind it.
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? name;
  const taken = isTaken(text);
  const rename = (): void => {
    if (text !== name && text !== "" && !taken) onRename(text);
    setDraft(null);
  };
  return (
    <TextField
      value={text}
      error={taken || text === ""}
      helperText={taken ? t("There is one already") : text === "" ? t("Needed") : undefined}
      autoFocus={isNew}
      onFocus={(event) => {
        if (isNew) event.target.select();
      }}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === "Enter") rename();
      }}
      slotProps={{
        htmlInput: { "aria-label": t("Name of field {{name}} of {{of}}", { name, of }), spellCheck: false },
      }}
    />
  );
}
