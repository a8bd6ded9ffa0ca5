import BookmarkAddOutlined from "@mui/icons-material/BookmarkAddOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import { type FormEvent, type ReactElement, useState } from "react";
import { useStore } from "react-admin";

interface SavedInput {
  name: string;
  input: JsonObject;
}

export interface SavedInputsProps {
  /** Names the workflow in this browser's storage. */
  storeKey: string;
  examples: readonly { title: string; input: JsonObject }[];
  input: JsonObject;
  onChoose: (input: JsonObject) => void;
}

/** Inputs under a name: the workflow's own examples, and those this browser keeps. */
export function SavedInputs({ storeKey, examples, input, onChoose }: SavedInputsProps): ReactElement {
  const [saved, setSaved] = useStore<SavedInput[]>(`editor.inputs.${storeKey}`, []);
  const [name, setName] = useState<string | null>(null);
  const onSave = (event: FormEvent): void => {
    event.preventDefault();
    const title = name?.trim() ?? "";
    if (title === "") return;
    setSaved([...saved.filter((entry) => entry.name !== title), { name: title, input }]);
    setName(null);
  };
  return (
    <Box role="group" aria-label="Inputs" sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 0.75 }}>
      {examples.map((example) => (
        <Chip key={example.title} label={example.title} variant="outlined" onClick={() => onChoose(example.input)} />
      ))}
      {saved.map((entry) => (
        <Chip
          key={entry.name}
          label={entry.name}
          color="primary"
          variant="outlined"
          onClick={() => onChoose(entry.input)}
          onDelete={() => setSaved(saved.filter((other) => other !== entry))}
        />
      ))}
      {name === null ? (
        <Button size="small" startIcon={<BookmarkAddOutlined />} onClick={() => setName("")}>
          Keep this input
        </Button>
      ) : (
        <Box component="form" onSubmit={onSave} sx={{ display: "flex", gap: 0.75 }}>
          <TextField
            size="small"
            label="Name of the input"
            autoFocus
            value={name}
            helperText="Kept in this browser"
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setName(null);
            }}
          />
          <Button type="submit" size="small" disabled={name.trim() === ""}>
            Keep
          </Button>
        </Box>
      )}
    </Box>
  );
}
