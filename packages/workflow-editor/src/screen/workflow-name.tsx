import ButtonBase from "@mui/material/ButtonBase";
import InputBase from "@mui/material/InputBase";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { type KeyboardEvent, type ReactElement, useState } from "react";

export interface WorkflowNameProps {
  /** Empty: it has none yet, and a field for one is shown. */
  name: string;
  /** Absent: this person may not change it. */
  onRename: ((name: string) => void) | undefined;
}

const SIZES = { fontSize: 16, fontWeight: 650 };

/** The name of the workflow in the bar; a click turns it into a field. Enter and leaving the field rename, Escape does not. */
export function WorkflowName({ name, onRename }: WorkflowNameProps): ReactElement {
  const [text, setText] = useState<string | null>(null);
  const isField = onRename !== undefined && (text !== null || name === "");
  const end = (next: string): void => {
    setText(null);
    if (next.trim() !== "" && next.trim() !== name) onRename?.(next.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    event.stopPropagation();
    if (event.key === "Enter") event.currentTarget.blur();
    if (event.key === "Escape") setText(null);
  };
  if (isField)
    return (
      <InputBase
        value={text ?? name}
        placeholder={t("Untitled workflow")}
        autoFocus={text !== null}
        onChange={(event) => setText(event.target.value)}
        onBlur={(event) => end(event.target.value)}
        onKeyDown={onKeyDown}
        inputProps={{ "aria-label": t("Name of the workflow"), maxLength: 200 }}
        sx={{ ...SIZES, width: 260, maxWidth: "45vw", px: 0.75, border: 1, borderColor: "divider", borderRadius: 1 }}
      />
    );
  const words = <span style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>{name}</span>;
  return (
    <Typography variant="h1" title={name} sx={{ ...SIZES, minWidth: 0, maxWidth: 360, display: "flex" }}>
      {onRename === undefined ? (
        words
      ) : (
        <ButtonBase
          onClick={() => setText(name)}
          sx={{ font: "inherit", minWidth: 0, px: 0.75, borderRadius: 1, "&:hover": { bgcolor: "action.hover" } }}
        >
          {words}
        </ButtonBase>
      )}
    </Typography>
  );
}
