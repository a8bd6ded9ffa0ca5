import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { Building, StartBuilding } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { Composer } from "../../conversation/composer.tsx";
import { useMoveUnsentText } from "../../conversation/unsent-text.ts";

export interface AssistantStartProps {
  workflowId: number;
  /** What stands in the field at first. */
  question: string;
  /** Saves what is on the canvas: the assistant reads the draft. @throws ApiError */
  flush: () => Promise<number>;
  onBegun: (chatId: number) => void;
}

/** Begins a conversation about a workflow, or goes on with an earlier one. */
export function AssistantStart({ workflowId, question, flush, onBegun }: AssistantStartProps): ReactElement {
  // A new object puts its text into the field.
  const [filled, setFilled] = useState({ text: question, count: 0 });
  const place = `assistant.${workflowId}`;
  const moveText = useMoveUnsentText();
  const begin = useAction(async (message: string) => {
    await flush();
    const body: StartBuilding = { message, workflowId };
    const { json } = await api("builder/conversations", { method: "POST", body });
    const { chatId } = json as Building; // cast: the shape of the route
    moveText(place, `chat.${chatId}`);
    onBegun(chatId);
  });
  const fill = (text: string): void => setFilled(({ count }) => ({ text, count: count + 1 }));
  return (
    <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: "auto", display: "grid", alignContent: "start", gap: 2, p: 1.75 }}>
        <Typography color="text.secondary">
          {t(
            "It changes the draft with you, tries it without any effect, and says what was checked. It never publishes.",
          )}
        </Typography>
        <Examples onFill={fill} onSend={(text) => void begin.run(text)} busy={begin.busy} />
        {begin.failure === null ? null : (
          <ErrorPanel error={begin.failure} title={t("The conversation could not be started")} />
        )}
        <Earlier workflowId={workflowId} onOpen={onBegun} />
      </Box>
      <Composer
        key={filled.count}
        place={place}
        label={t("Message to the assistant")}
        placeholder={t("Say what should be different")}
        initial={filled.text}
        blocked={null}
        sending={begin.busy}
        onSend={begin.run}
        stop={null}
        autoFocus={filled.count > 0}
      />
    </Box>
  );
}

function Examples({
  onFill,
  onSend,
  busy,
}: {
  onFill: (text: string) => void;
  onSend: (text: string) => void;
  busy: boolean;
}): ReactElement {
  const examples = [
    { text: t("What does this workflow do?"), begins: null },
    { text: t("Add a review before…"), begins: t("Add a review before this step:") },
    { text: t("Write test cases and try them"), begins: null },
  ];
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
      {examples.map(({ text, begins }) => (
        <Button
          key={text}
          size="small"
          variant="outlined"
          disabled={busy}
          onClick={() => (begins === null ? onSend(text) : onFill(`${begins} `))}
        >
          {text}
        </Button>
      ))}
    </Box>
  );
}

function Earlier({
  workflowId,
  onOpen,
}: {
  workflowId: number;
  onOpen: (chatId: number) => void;
}): ReactElement | null {
  const { data, error } = useAnswer<Building[]>(`builder/conversations?workflowId=${workflowId}`);
  if (error) return <ErrorPanel error={error} title={t("Earlier conversations could not be read")} />;
  if (data === undefined) return <Skeleton height={44} aria-label={t("Loading")} />;
  if (data.length === 0) return null;
  return (
    <Box component="section" aria-labelledby="earlier-conversations">
      <Typography variant="h3" id="earlier-conversations" sx={{ mb: 0.5 }}>
        {t("Earlier conversations")}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {data.map(({ chatId, title, updatedAt }) => (
          <li key={chatId}>
            <ButtonBase
              onClick={() => onOpen(chatId)}
              sx={{
                display: "flex",
                justifyContent: "space-between",
                gap: 1,
                width: "calc(100% + 16px)",
                px: 1,
                mx: -1,
                py: 0.75,
                borderRadius: 1.5,
                font: "inherit",
                fontSize: 13.5,
                textAlign: "left",
                "&:hover": { bgcolor: "action.hover" },
              }}
            >
              <Box
                component="span"
                sx={{ minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
              >
                {title ?? t("Conversation")}
              </Box>
              <Box component="span" sx={{ flex: "none", color: "text.secondary" }}>
                <RelativeTime at={updatedAt} />
              </Box>
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  );
}
