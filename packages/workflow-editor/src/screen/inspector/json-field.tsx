import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { JsonEditor } from "@oven/ui/components/json-editor/json-editor.tsx";
import { readTypedJson, type Typed } from "@oven/ui/components/typed-value.ts";
import { type ReactElement, useState } from "react";

/** A value as JSON; taken as soon as it is some. */
export function JsonField({
  id,
  label,
  value,
  onChange,
}: {
  id: string;
  label: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}): ReactElement {
  const shown = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [draft, setDraft] = useState<{ text: string; of: string } | null>(null);
  const text = draft !== null && draft.of === shown ? draft.text : shown;
  const shownValue = toValue(text);
  const type = (next: string): void => {
    const read = toValue(next);
    const written = read.ok ? read.value : value;
    setDraft({ text: next, of: written === undefined ? "" : JSON.stringify(written, null, 2) });
    if (read.ok) onChange(read.value);
  };
  return (
    <>
      <Box id={id} sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}>
        <JsonEditor
          label={t("{{label}} as JSON", { label })}
          value={text}
          onChange={type}
          marks={[]}
          jump={null}
          height={Math.min(320, Math.max(84, (text.split("\n").length + 1) * 20))}
        />
      </Box>
      {shownValue.ok ? null : <Box sx={{ fontSize: 12, color: "error.main" }}>{shownValue.message}</Box>}
    </>
  );
}

function toValue(text: string): Typed<Json | undefined> {
  return text.trim() === "" ? { ok: true, value: undefined } : readTypedJson(text);
}
