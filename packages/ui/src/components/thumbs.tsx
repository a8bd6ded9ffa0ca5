import ThumbDownOutlined from "@mui/icons-material/ThumbDownOutlined";
import ThumbDownRounded from "@mui/icons-material/ThumbDownRounded";
import ThumbUpOutlined from "@mui/icons-material/ThumbUpOutlined";
import ThumbUpRounded from "@mui/icons-material/ThumbUpRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { ErrorPanel } from "./error-panel.tsx";
import { useAction } from "./use-action.ts";

export interface Thumb {
  /** 1 is up, 0 is down; null: neither. */
  value: number | null;
  comment: string | null;
}

export interface ThumbsProps {
  thumb: Thumb;
  onChange: (thumb: { value: 0 | 1 | null; comment: string | null }) => Promise<void>;
}

const MOST_CHARACTERS = 2_000;

/** Up or down, and a comment once one of them is chosen. The chosen one pressed again takes it back. */
export function Thumbs({ thumb, onChange }: ThumbsProps): ReactElement {
  const [writing, setWriting] = useState<string | null>(null);
  const { busy, failure, run } = useAction(onChange);
  const { value, comment } = thumb;
  const press = (wanted: 0 | 1): void => {
    setWriting(null);
    void run(value === wanted ? { value: null, comment: null } : { value: wanted, comment });
  };
  return (
    <>
      <Box component="span" role="group" aria-label={t("How good was it?")} sx={{ display: "inline-flex" }}>
        <Tooltip title={t("Good")}>
          <IconButton
            size="small"
            aria-label={t("Good")}
            aria-pressed={value === 1}
            disabled={busy}
            onClick={() => press(1)}
            sx={{ fontSize: 16, p: 0.625, color: value === 1 ? "var(--oven-status-completed)" : undefined }}
          >
            {value === 1 ? <ThumbUpRounded fontSize="inherit" /> : <ThumbUpOutlined fontSize="inherit" />}
          </IconButton>
        </Tooltip>
        <Tooltip title={t("Bad")}>
          <IconButton
            size="small"
            aria-label={t("Bad")}
            aria-pressed={value === 0}
            disabled={busy}
            onClick={() => press(0)}
            sx={{ fontSize: 16, p: 0.625, color: value === 0 ? "var(--oven-status-failed)" : undefined }}
          >
            {value === 0 ? <ThumbDownRounded fontSize="inherit" /> : <ThumbDownOutlined fontSize="inherit" />}
          </IconButton>
        </Tooltip>
      </Box>
      {value === null || writing !== null ? null : (
        <Button size="small" onClick={() => setWriting(comment ?? "")}>
          {comment === null ? t("Add a comment") : t("Change the comment")}
        </Button>
      )}
      {value === null || writing === null ? null : (
        <Box
          component="form"
          onSubmit={(event: { preventDefault: () => void }) => {
            event.preventDefault();
            setWriting(null);
            void run({ value: value === 1 ? 1 : 0, comment: writing.trim() === "" ? null : writing.trim() });
          }}
          sx={{ display: "flex", flexWrap: "wrap", gap: 1, flex: "1 1 100%", alignItems: "flex-start" }}
        >
          <TextField
            size="small"
            multiline
            maxRows={6}
            label={t("Comment")}
            value={writing}
            onChange={({ target }) => setWriting(target.value)}
            slotProps={{ htmlInput: { maxLength: MOST_CHARACTERS } }}
            sx={{ flex: "1 1 220px", maxWidth: 480 }}
          />
          <Button type="submit" variant="outlined">
            {t("Save")}
          </Button>
          <Button onClick={() => setWriting(null)}>{t("Cancel")}</Button>
        </Box>
      )}
      {failure === null ? null : (
        <Box sx={{ flex: "1 1 100%" }}>
          <ErrorPanel error={failure} title={t("It was not saved")} />
        </Box>
      )}
    </>
  );
}
