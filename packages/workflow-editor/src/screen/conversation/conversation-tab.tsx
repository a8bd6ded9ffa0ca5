import AddCommentOutlined from "@mui/icons-material/AddCommentOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t, tx } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useRef } from "react";
import { Composer } from "../../conversation/composer.tsx";
import { Turn } from "../../conversation/message-turns.tsx";
import { useNewestInSight } from "../../conversation/use-newest-in-sight.ts";
import type { Running } from "../running/use-running.ts";
import { takesHistory } from "./takes-history.ts";
import { TurnView } from "./turn-view.tsx";
import { type TestConversation, useConversation } from "./use-conversation.ts";

export interface ConversationTabProps {
  kind: WorkflowKind;
  workflowId: number;
  definition: JsonObject;
  nodeTypes: readonly NodeType[] | undefined;
  running: Running;
}

/** Talking to the draft: each message is a test run of it, all of them one conversation. */
export function ConversationTab(props: ConversationTabProps): ReactElement {
  const { kind, workflowId, definition, nodeTypes, running } = props;
  const conversation = useConversation(kind, workflowId, running);
  const { turns, error, sending, say } = conversation;
  const content = useRef<HTMLDivElement>(null);
  useNewestInSight(content);
  return (
    <Box sx={{ display: "flex", flexDirection: "column", minHeight: "100%" }}>
      <Box ref={content} sx={{ flex: 1, display: "grid", alignContent: "start", gap: 2.5, p: 1.75 }}>
        {takesHistory(definition) ? null : (
          <Alert severity="info">
            {tx(
              "The payload takes no {{field}}, so each message is a run that knows nothing of those before. Add {{field}} to the payload schema to hand the conversation on.",
              { field: <code>messages</code> },
            )}
          </Alert>
        )}
        {error ? <ErrorPanel error={error} title={t("The conversation could not be read")} /> : null}
        {turns.length === 0 && sending === null ? (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>
            {t(
              "Say something to the draft. Each message is a test run of it: its way is drawn on the canvas, and what each step says, calls and asks stands here.",
            )}
          </Box>
        ) : null}
        {turns.map((id, index) => (
          <TurnView
            key={id}
            kind={kind}
            id={id}
            definition={definition}
            nodeTypes={nodeTypes}
            running={running}
            newest={index === turns.length - 1}
          />
        ))}
        {sending === null ? null : (
          <Box component="ol" sx={{ m: 0, p: 0 }}>
            <Turn speaker="user" by="You">
              <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", opacity: 0.7 }}>{sending}</Box>
            </Turn>
          </Box>
        )}
        {say.failure === null ? null : <ErrorPanel error={say.failure} title={t("The message was not sent")} />}
        {running.stop.failure === null ? null : (
          <ErrorPanel error={running.stop.failure} title={t("The run was not stopped")} />
        )}
      </Box>
      <DraftComposer place={`draft.${kind.resource}.${workflowId}`} conversation={conversation} running={running} />
    </Box>
  );
}

/** Whom one speaks to, and what is said. */
function DraftComposer({
  place,
  conversation,
  running,
}: {
  place: string;
  conversation: TestConversation;
  running: Running;
}): ReactElement {
  const { say, begin, turns, agents, agent, setAgent } = conversation;
  const { actions } = running;
  return (
    <Composer
      place={place}
      label={t("Message to the draft")}
      blocked={actions.going ? t("The draft is answering") : actions.refused}
      tellsWhy={!actions.going}
      sending={say.busy}
      onSend={say.run}
      stop={actions.going ? { busy: running.stop.busy, run: () => actions.stop() } : null}
      before={
        agents.length === 0 || actions.going ? null : (
          <TextField
            select
            size="small"
            label={t("Speak to")}
            value={agents.some(({ slug }) => slug === agent) ? agent : ""}
            onChange={(event) => setAgent(event.target.value === "" ? null : event.target.value)}
            slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
            sx={{ minWidth: 150 }}
          >
            <MenuItem value="">{t("The draft alone")}</MenuItem>
            {agents.map(({ id, slug, name }) => (
              <MenuItem key={id} value={slug}>
                {name}
              </MenuItem>
            ))}
          </TextField>
        )
      }
      after={
        actions.going || (turns.length === 0 && say.failure === null) ? null : (
          <Button startIcon={<AddCommentOutlined />} onClick={begin} sx={{ minHeight: 40 }}>
            {t("New conversation")}
          </Button>
        )
      }
    />
  );
}
