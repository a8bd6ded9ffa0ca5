import AddCommentOutlined from "@mui/icons-material/AddCommentOutlined";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import type { KeyboardEvent, ReactElement } from "react";
import { ASSISTANT_KEYS } from "../../editor/commands.ts";
import { formatKeys } from "../../editor/keys.ts";
import { AssistantConversation, type AssistantConversationProps } from "./assistant-conversation.tsx";
import { AssistantStart } from "./assistant-start.tsx";
import type { Assistant } from "./use-assistant.ts";

const WIDTH = 400;

export interface AssistantPanelProps extends Omit<AssistantConversationProps, "chatId"> {
  assistant: Assistant;
  workflowId: number;
}

/** What builds the workflow with the person, beside the canvas; on a phone over it. While it is closed it goes on. */
export function AssistantPanel({ assistant, workflowId, ...rest }: AssistantPanelProps): ReactElement | null {
  const narrow = useIsNarrow();
  const { open, chatId, close, leave } = assistant;
  // Never opened, and nothing to follow.
  if (!open && chatId === null) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, ctrlKey, metaKey } = event;
    // Menus and dialogs of the panel stand elsewhere in the page.
    if (event.defaultPrevented || !(target instanceof Node) || !event.currentTarget.contains(target)) return;
    if (key === "Escape" && !narrow) {
      event.preventDefault();
      leave();
    } else if (!ctrlKey && !metaKey) {
      // Keys without a modifier are commands of the canvas.
      event.stopPropagation();
    }
  };
  const content = (
    <Box
      component="aside"
      ref={assistant.panel}
      aria-label={t("Assistant")}
      onKeyDown={onKeyDown}
      sx={{
        display: open || narrow ? "flex" : "none",
        flexDirection: "column",
        flex: "none",
        width: narrow ? "100vw" : WIDTH,
        height: narrow ? "100dvh" : "auto",
        minHeight: 0,
        borderLeft: narrow ? 0 : 1,
        borderColor: "divider",
        bgcolor: "background.paper",
      }}
    >
      <Head assistant={assistant} />
      {chatId === null ? (
        <AssistantStart
          workflowId={workflowId}
          question={assistant.question}
          flush={rest.draft.flush}
          onBegun={assistant.show}
        />
      ) : (
        <AssistantConversation key={chatId} chatId={chatId} {...rest} />
      )}
    </Box>
  );
  if (!narrow) return content;
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={close}
      keepMounted
      slotProps={{ paper: { "aria-label": t("Assistant") } }}
    >
      {content}
    </Drawer>
  );
}

function Head({ assistant: { chatId, show, close } }: { assistant: Assistant }): ReactElement {
  return (
    <Box
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 0.5,
        flex: "none",
        pl: 1.75,
        pr: 1,
        minHeight: 44,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <Typography variant="h2" sx={{ flex: 1 }}>
        {t("Assistant")}
      </Typography>
      {chatId === null ? null : (
        <Tooltip title={t("New and earlier conversations")}>
          <IconButton size="small" aria-label={t("New and earlier conversations")} onClick={() => show(null)}>
            <AddCommentOutlined sx={{ fontSize: 19 }} />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip title={t("Close ({{keys}})", { keys: formatKeys(ASSISTANT_KEYS) })}>
        <IconButton size="small" aria-label={t("Close the assistant")} onClick={close}>
          <CloseRounded sx={{ fontSize: 20 }} />
        </IconButton>
      </Tooltip>
    </Box>
  );
}
