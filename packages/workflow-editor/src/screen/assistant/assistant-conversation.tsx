import type { JsonObject, Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, type RefObject, useCallback, useMemo, useState } from "react";
import { ChatView } from "../../conversation/chat-conversation.tsx";
import type { TurnLook } from "../../conversation/chat-turn.tsx";
import { isOver, statusOf } from "../../conversation/live-turns.ts";
import { useChat } from "../../conversation/use-chat.ts";
import type { Draft } from "../use-draft.ts";
import { readAnswerLink } from "./answer-links.ts";
import { QuestionView, readQuestion } from "./assistant-question.tsx";
import { AssistantSteps } from "./assistant-steps.tsx";
import { ProofCard } from "./proof-card.tsx";
import { useFollowing } from "./use-following.ts";

export interface AssistantConversationProps {
  chatId: number;
  draft: Draft;
  /** What is on the canvas. */
  definition: JsonObject;
  /** True while a newer draft may be the assistant's. */
  working: RefObject<boolean>;
  /** Selects a step and shows it. */
  onStep: (id: string) => void;
  onProblem: (problem: Problem) => void;
  /** A newer draft could not be read. */
  onFailure: (error: unknown) => void;
}

/** A conversation with the assistant; the canvas follows what it does to the draft. */
export function AssistantConversation(props: AssistantConversationProps): ReactElement {
  const { chatId, draft, definition, working, onStep, onProblem, onFailure } = props;
  const { flush, follow, revision } = draft;
  const chat = useChat(chatId, noNews);
  const [failure, setFailure] = useState<unknown>(null);
  useFollowing({ chat, follow, working, onFailure });
  const { turns, live } = chat.state;
  const waiting = turns?.findLast((turn) => !isOver(turn) && statusOf(turn, live[turn.executionId ?? 0]) === "paused");
  const onSend = async (message: string): Promise<boolean> => {
    setFailure(null);
    try {
      // The assistant reads the draft that the server has.
      await flush();
    } catch (error) {
      setFailure(error);
      return false;
    }
    return chat.say.run(message);
  };
  const toAction = useCallback(
    (href: string): (() => void) | null => {
      const link = readAnswerLink(href);
      if (link.to === "step") return () => onStep(link.id);
      if (link.to === "run")
        return () => void window.open(runPath("agent-workflow", link.id), "_blank", "noopener,noreferrer");
      return null;
    },
    [onStep],
  );
  const look = useMemo(
    (): TurnLook => ({
      steps: (steps, when) => <AssistantSteps steps={steps} when={when} />,
      toAction,
      review: (review, onDecided) => {
        const question = readQuestion(review);
        return question === null ? null : <QuestionView review={review} question={question} onDecided={onDecided} />;
      },
      below: ({ executionId }) => (
        <ProofCard executionId={executionId} definition={definition} revision={revision} onProblem={onProblem} />
      ),
    }),
    [toAction, definition, revision, onProblem],
  );
  return (
    <ChatView
      id={chatId}
      by={t("Assistant")}
      label={t("Message to the assistant")}
      placeholder={t("Say what should be different")}
      chat={chat}
      look={look}
      waiting={waiting}
      dense
      onSend={onSend}
    >
      {failure === null ? null : (
        <ErrorPanel error={failure} title={t("Nothing was sent: the draft could not be saved first")} />
      )}
    </ChatView>
  );
}

function noNews(): void {
  // The list of conversations is read when it is shown.
}
