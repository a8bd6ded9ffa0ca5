import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import type { ChatMapping } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { NO_CONVERSATION, type ReadingDraft } from "./chat-target.ts";

interface ReadingFieldsProps {
  /** How the workflow is read by itself; null: it cannot be. */
  mapping: ChatMapping | null;
  value: ReadingDraft;
  onChange: (value: ReadingDraft) => void;
}

/** Which fields of a workflow's input and output a chat takes, where they are not found by themselves. */
export function ReadingFields({ mapping, value, onChange }: ReadingFieldsProps): ReactElement {
  const fields = [
    {
      key: "message",
      label: t("Field for the message"),
      placeholder: mapping?.message ?? "message",
      help: t("Of the input: it gets what you say."),
    },
    {
      key: "messages",
      label: t("Field for the conversation"),
      placeholder: mapping === null ? "messages" : (mapping.messages ?? t("none")),
      help: t("It gets what was said so far; {{sign}} for none.", { sign: NO_CONVERSATION }),
    },
    {
      key: "answer",
      label: t("Where the answer is"),
      placeholder: mapping?.answer ?? t("found by itself"),
      help: t("A path in the output, such as reply.text."),
    },
  ] as const;
  return (
    <Box component="details" sx={{ "& summary": { cursor: "pointer", py: 0.75, color: "text.secondary" } }}>
      <summary>{t("Which fields are used")}</summary>
      <Box sx={{ display: "grid", gap: 2, pt: 1.5 }}>
        {fields.map(({ key, label, placeholder, help }) => (
          <TextField
            key={key}
            label={label}
            placeholder={placeholder}
            helperText={help}
            value={value[key]}
            slotProps={{ inputLabel: { shrink: true } }}
            onChange={(event) => onChange({ ...value, [key]: event.target.value })}
          />
        ))}
      </Box>
    </Box>
  );
}
