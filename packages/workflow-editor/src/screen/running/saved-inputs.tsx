import BookmarkAddOutlined from "@mui/icons-material/BookmarkAddOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useState } from "react";

export interface SavedInputsProps {
  /** By name. */
  saved: Readonly<Record<string, JsonObject>>;
  examples: readonly { title: string; input: JsonObject }[];
  input: JsonObject;
  onChoose: (input: JsonObject) => void;
  /** Null takes it away. */
  onKeep: (name: string, input: JsonObject | null) => void;
}

/** Inputs under a name: the workflow's own examples, and those its editors keep. */
export function SavedInputs({ saved, examples, input, onChoose, onKeep }: SavedInputsProps): ReactElement {
  const [name, setName] = useState<string | null>(null);
  const onSave = (event: FormEvent): void => {
    event.preventDefault();
    const title = name?.trim() ?? "";
    if (title === "") return;
    onKeep(title, input);
    setName(null);
  };
  return (
    <Box
      role="group"
      aria-label={t("Inputs")}
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 0.75 }}
    >
      {examples.map((example) => (
        <Chip key={example.title} label={example.title} variant="outlined" onClick={() => onChoose(example.input)} />
      ))}
      {Object.entries(saved).map(([title, kept]) => (
        <Chip
          key={title}
          label={title}
          color="primary"
          variant="outlined"
          onClick={() => onChoose(kept)}
          onDelete={() => onKeep(title, null)}
        />
      ))}
      {name === null ? (
        <Button size="small" startIcon={<BookmarkAddOutlined />} onClick={() => setName("")}>
          {t("Keep this input")}
        </Button>
      ) : (
        <Box component="form" onSubmit={onSave} sx={{ display: "flex", gap: 0.75 }}>
          <TextField
            size="small"
            label={t("Name of the input")}
            autoFocus
            value={name}
            helperText={t("For all who edit this workflow")}
            slotProps={{ htmlInput: { maxLength: 100 } }}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setName(null);
            }}
          />
          <Button type="submit" size="small" disabled={name.trim() === ""}>
            {t("Keep")}
          </Button>
        </Box>
      )}
    </Box>
  );
}
