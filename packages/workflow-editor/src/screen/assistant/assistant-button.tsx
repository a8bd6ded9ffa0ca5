import AutoAwesomeOutlined from "@mui/icons-material/AutoAwesomeOutlined";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { ASSISTANT_KEYS } from "../../editor/commands.ts";
import { formatKeys } from "../../editor/keys.ts";
import type { Assistant } from "./use-assistant.ts";

/** Opens the assistant's panel, or closes it. */
export function AssistantButton({ assistant: { open, toggle } }: { assistant: Assistant }): ReactElement {
  return (
    <Tooltip title={t("Assistant ({{keys}})", { keys: formatKeys(ASSISTANT_KEYS) })}>
      <IconButton
        aria-label={t("Assistant")}
        aria-pressed={open}
        onClick={toggle}
        color={open ? "primary" : "default"}
        sx={open ? { bgcolor: "action.selected" } : {}}
      >
        <AutoAwesomeOutlined sx={{ fontSize: 20 }} />
      </IconButton>
    </Tooltip>
  );
}
