import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { MarkdownText } from "@oven/ui/components/markdown-text.tsx";
import { Code, previewJson, ToolBox } from "@oven/ui/components/tool-box.tsx";
import { ToolOutcome } from "@oven/ui/components/tool-outcome.tsx";
import type { ReactElement, ReactNode } from "react";
import type { LiveText } from "../run/fold-run-events.ts";
import { readMessages, toMessageText } from "./read-messages.ts";

const ROLES: Record<Message["role"], { name: string; ink: string }> = {
  system: { name: t("System"), ink: "var(--oven-kind-data)" },
  user: { name: t("User"), ink: "var(--oven-kind-human)" },
  assistant: { name: t("Model"), ink: "var(--oven-kind-model)" },
  tool: { name: t("Tool"), ink: "var(--oven-kind-tool)" },
};

/** What one side of a conversation said. */
export function Turn({
  speaker,
  by,
  children,
}: {
  speaker: Message["role"];
  /** Instead of the role's name: the step that said it. */
  by?: string | undefined;
  children: ReactNode;
}): ReactElement {
  const { name, ink } = ROLES[speaker];
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr", sm: "76px 1fr" },
        gap: { xs: 0.25, sm: 1.5 },
        listStyle: "none",
      }}
    >
      <Box sx={{ fontSize: 12.5, fontWeight: 650, lineHeight: "22px", color: ink, overflowWrap: "anywhere" }}>
        {by ?? name}
      </Box>
      <Box sx={{ minWidth: 0, display: "grid", gap: 1 }}>{children}</Box>
    </Box>
  );
}

function Words({ text }: { text: string }): ReactElement | null {
  if (text === "") return null;
  return <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: "22px" }}>{text}</Box>;
}

/** One message; `by` names the step of the workflow that it comes from. */
export function MessageTurn({ message, by }: { message: Message; by?: string | undefined }): ReactElement {
  switch (message.role) {
    case "system":
      return (
        <Turn speaker="system" by={by}>
          <Box
            component="details"
            sx={{ "& > summary": { cursor: "pointer", color: "text.secondary", lineHeight: "22px" } }}
          >
            <summary>{previewJson(message.content)}</summary>
            <Words text={message.content} />
          </Box>
        </Turn>
      );
    case "user":
      return (
        <Turn speaker="user" by={by}>
          <Words text={toMessageText(message.content)} />
        </Turn>
      );
    case "assistant":
      return (
        <Turn speaker="assistant" by={by}>
          {typeof message.content === "string" ? (
            <MarkdownText text={message.content} />
          ) : (
            message.content.map((part, index) => {
              if (part.type === "text") return <MarkdownText key={index} text={part.text} />;
              if (part.type === "reasoning") {
                return (
                  <Box
                    key={index}
                    component="details"
                    sx={{ color: "text.secondary", "& > summary": { cursor: "pointer" } }}
                  >
                    <summary>{t("Reasoning")}</summary>
                    <Words text={part.text} />
                  </Box>
                );
              }
              return (
                <ToolBox
                  key={part.toolCallId}
                  title={tx("calls {{tool}} {{input}}", {
                    tool: <Code>{part.toolName}</Code>,
                    input: (
                      <Box component="span" sx={{ color: "text.secondary" }}>
                        <Code>{previewJson(part.input)}</Code>
                      </Box>
                    ),
                  })}
                  value={part.input}
                />
              );
            })
          )}
        </Turn>
      );
    case "tool":
      return (
        <Turn speaker="tool" by={by}>
          {message.content.map((part) => {
            const failed = part.output.type.startsWith("error");
            return (
              <ToolBox
                key={part.toolCallId}
                failed={failed}
                title={<ToolOutcome tool={part.toolName} failed={failed} value={part.output.value} />}
                value={part.output.value}
              />
            );
          })}
        </Turn>
      );
  }
}

/** The messages of a run, and what is being written right now. */
export function Conversation({
  context,
  writing = [],
}: {
  context: Json;
  writing?: readonly LiveText[];
}): ReactElement {
  const messages = readMessages(context);
  if (messages.length === 0 && writing.length === 0) {
    return <Box sx={{ color: "text.secondary" }}>{t("No messages yet. Model nodes write the conversation here.")}</Box>;
  }
  return (
    <Box component="ol" aria-label={t("Messages")} sx={{ display: "grid", gap: 2, m: 0, p: 0 }}>
      {messages.map((entry, index) =>
        entry.ok ? (
          <MessageTurn key={index} message={entry.message} />
        ) : (
          <li key={index} style={{ listStyle: "none" }}>
            <JsonView value={entry.raw} what={t("a message of unknown form")} />
          </li>
        ),
      )}
      {writing.map((part) => (
        <WritingTurn key={`${part.nodeId} ${part.visit} ${part.attempt}`} part={part} />
      ))}
    </Box>
  );
}

/** Text as it is written. */
export function WritingTurn({ part, by }: { part: LiveText; by?: string | undefined }): ReactElement {
  return (
    <Turn speaker="assistant" by={by}>
      <Box aria-live="polite" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: "22px" }}>
        {part.text}
        <Box
          component="span"
          aria-hidden
          sx={{
            display: "inline-block",
            width: 7,
            height: 15,
            ml: 0.25,
            verticalAlign: "-2px",
            bgcolor: "var(--oven-status-running)",
          }}
        />
      </Box>
    </Turn>
  );
}
