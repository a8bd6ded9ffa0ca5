import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ChatMessage, ChatSession } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import { type ReactElement, type ReactNode, useRef } from "react";
import { ChatTurn, Said, type TurnLook } from "./chat-turn.tsx";
import { Composer, type ComposerProps } from "./composer.tsx";
import { type Chat, useChat } from "./use-chat.ts";
import { useNewestInSight } from "./use-newest-in-sight.ts";
import { useThumbs } from "./use-thumbs.ts";

/** The messages of a chat, and where the next one is written. */
export function ChatConversation({ session, onNews }: { session: ChatSession; onNews: () => void }): ReactElement {
  const chat = useChat(session.id, onNews);
  return <ChatView id={session.id} by={session.target.name} chat={chat} onSend={chat.say.run} />;
}

export interface ChatViewProps extends Pick<ComposerProps, "onSend"> {
  id: number;
  /** Who answers. */
  by: string;
  /** The accessible name of the form for messages, and what stands in its field. */
  label?: string;
  placeholder?: string;
  chat: Chat;
  look?: TurnLook;
  /** It waits for the answer to a question: nothing else is said meanwhile. */
  waiting?: ChatMessage | undefined;
  /** Beside something else, where there is little room. */
  dense?: boolean;
  /** What went wrong before a message could be sent, and the like. */
  children?: ReactNode;
}

/** A chat that is followed by who shows it. */
export function ChatView(props: ChatViewProps): ReactElement {
  const { id, by, chat, look, dense = false, onSend, waiting, children } = props;
  const { label = t("Message to {{by}}", { by }), placeholder = t("Message {{by}}", { by }) } = props;
  const { state, sending, say, retry, stop, going } = chat;
  const { turns } = state;
  const stoppable = going ?? waiting;
  const thumbs = useThumbs(id);
  // On a phone it would bring up the keyboard over what is to be read.
  const narrow = useIsNarrow();
  const content = useRef<HTMLDivElement>(null);
  useNewestInSight(content);
  return (
    <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}>
      <Box role="region" aria-label={t("Messages")} tabIndex={0} sx={{ flex: 1, minHeight: 0, overflowY: "auto" }}>
        <Box
          ref={content}
          sx={{
            display: "grid",
            alignContent: "start",
            gap: 4,
            maxWidth: 860,
            mx: "auto",
            px: dense ? 1.75 : { xs: 1.5, md: 3 },
            py: dense ? 2 : 3,
          }}
        >
          {chat.error ? (
            <ErrorPanel error={chat.error} title={t("The chat could not be read")} onRetry={chat.reload} />
          ) : turns === undefined ? (
            <Box role="status" aria-label={t("Loading the messages")}>
              <Skeleton height={44} width="50%" sx={{ ml: "auto" }} />
              <Skeleton height={90} />
            </Box>
          ) : turns.length === 0 && sending === null ? (
            <Box sx={{ color: "text.secondary" }}>
              {t("Nothing was said yet. Write to {{name}} below.", { name: by })}
            </Box>
          ) : null}
          {(turns ?? []).map((turn, index) => (
            <ChatTurn
              key={turn.id}
              turn={turn}
              live={state.live[turn.executionId ?? 0]}
              by={by}
              onRetry={index === (turns?.length ?? 0) - 1 ? () => void retry.run(turn) : null}
              retrying={retry.busy}
              thumb={thumbs.of(turn)}
              onThumb={(thumb) => thumbs.rate(turn, thumb)}
              look={look}
            />
          ))}
          {sending === null ? null : (
            <Box sx={{ display: "grid", opacity: 0.7 }}>
              <Said>{sending}</Said>
            </Box>
          )}
          {say.failure === null ? null : <ErrorPanel error={say.failure} title={t("The message was not sent")} />}
          {retry.failure === null ? null : <ErrorPanel error={retry.failure} title={t("It was not tried again")} />}
          {stop.failure === null ? null : <ErrorPanel error={stop.failure} title={t("It was not stopped")} />}
          {children}
          {chat.lost ? (
            <Box role="status" sx={{ fontSize: 13, color: "text.secondary" }}>
              {t("Reconnecting…")}
            </Box>
          ) : null}
        </Box>
      </Box>
      <Box sx={{ maxWidth: 860, width: "100%", mx: "auto" }}>
        <Composer
          key={id}
          place={`chat.${id}`}
          label={label}
          placeholder={placeholder}
          ready={turns !== undefined || Boolean(chat.error)}
          blocked={
            turns === undefined
              ? t("The chat could not be read")
              : waiting === undefined
                ? null
                : t("Answer the question first, or stop")
          }
          tellsWhy={waiting !== undefined}
          sending={say.busy}
          onSend={onSend}
          stop={
            stoppable === undefined || stoppable.executionId === null
              ? null
              : { busy: stop.busy, run: () => void stop.run(stoppable) }
          }
          autoFocus={!narrow}
        />
      </Box>
    </Box>
  );
}
