import AddRounded from "@mui/icons-material/AddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { t, tx } from "@oven/i18n";
import { type ReactElement, useRef, useState } from "react";
import type { EarlierOutput } from "./earlier-outputs.ts";

export interface PromptFieldProps {
  value: string;
  outputs: readonly EarlierOutput[];
  disabled: boolean;
  onChange: (value: string) => void;
}

/** A step's prompt, and what came before it to be put in where the cursor stands. */
export function PromptField({ value, outputs, disabled, onChange }: PromptFieldProps): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = ({ placeholder }: EarlierOutput): void => {
    const start = field.current?.selectionStart ?? value.length;
    const end = field.current?.selectionEnd ?? value.length;
    onChange(`${value.slice(0, start)}${placeholder}${value.slice(end)}`);
    setAnchor(null);
  };
  return (
    <Box>
      <TextField
        label={t("Prompt")}
        multiline
        minRows={3}
        maxRows={14}
        fullWidth
        value={value}
        disabled={disabled}
        inputRef={field}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ htmlInput: { spellCheck: false } }}
      />
      {outputs.map(({ uuid, title, placeholder }) =>
        value.includes(placeholder) ? (
          <Box key={uuid} sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere", mt: 0.5 }}>
            {tx("{{placeholder}} is {{title}}", { placeholder: <code>{placeholder}</code>, title })}
          </Box>
        ) : null,
      )}
      <Button
        size="small"
        startIcon={<AddRounded />}
        disabled={disabled || outputs.length === 0}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ mt: 0.5 }}
      >
        {t("Insert an earlier output")}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {outputs.map((output) => (
          <MenuItem key={output.uuid} onClick={() => insert(output)}>
            {output.title}
          </MenuItem>
        ))}
      </Menu>
    </Box>
  );
}
