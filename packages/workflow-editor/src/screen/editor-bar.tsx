import RedoRounded from "@mui/icons-material/RedoRounded";
import TuneRounded from "@mui/icons-material/TuneRounded";
import UndoRounded from "@mui/icons-material/UndoRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import type { NodeType } from "@oven/contract/node";
import type { UnboundedCause, Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { LookalikeMark } from "@oven/ui/components/lookalike-mark.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useLookalikes } from "@oven/ui/components/use-lookalikes.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState, useSyncExternalStore } from "react";
import { TagChips } from "../definition/tag-chips.tsx";
import type { ServerCheck } from "../definition/use-server-check.ts";
import type { WorstCaseAnswer } from "../definition/use-worst-case.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import { AssistantButton } from "./assistant/assistant-button.tsx";
import type { Assistant } from "./assistant/use-assistant.ts";
import { EditorHeader } from "./editor-header.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { TestMenu } from "./running/test-menu.tsx";
import type { Running } from "./running/use-running.ts";
import { toSaveText } from "./save-state-text.ts";
import type { Triggers } from "./triggers/use-triggers.ts";
import type { Draft, SaveState } from "./use-draft.ts";
import { useRename } from "./use-rename.ts";
import { WorkflowName } from "./workflow-name.tsx";
import { WorstCaseMark } from "./worst-case-mark.tsx";

export interface EditorBarProps {
  kind: WorkflowKind;
  workflow: Workflow;
  /** The published one. */
  version: number;
  store: EditorStore;
  nodeTypes: readonly NodeType[] | undefined;
  draft: Draft;
  check: ServerCheck;
  worst: WorstCaseAnswer;
  running: Running;
  /** The one state that is selected. */
  selected: string | null;
  onInput: () => void;
  /** Opens the sheet with what no version holds. */
  onSettings: () => void;
  triggers: Triggers;
  /** Null: it cannot be used here. */
  assistant: Assistant | null;
  onPublished: (workflow: Workflow) => void;
  onProblems: () => void;
  /** Shows the state that makes a quantity unbounded. */
  onCause: (cause: UnboundedCause) => void;
}

/** The way back, whether the work is safe, what is live, undo, the verdict and publishing. */
export function EditorBar(props: EditorBarProps): ReactElement {
  const { kind, workflow, version, store, nodeTypes, draft, check, running, selected, onInput } = props;
  const { onPublished, onProblems, onCause, onSettings, triggers, worst } = props;
  const { history } = useSyncExternalStore(store.subscribe, store.getState);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const rename = useRename(kind, workflow);
  const lookalikes = useLookalikes(kind, workflow.name);
  const [publishing, setPublishing] = useState(false);
  const undone = history.past.at(-1)?.label;
  const redone = history.future.at(-1)?.label;
  return (
    <EditorHeader
      kind={kind}
      workflow={workflow}
      name={
        <>
          <WorkflowName
            name={workflow.name}
            onRename={
              mayUpdate
                ? (name) => void rename(name).catch((error: unknown) => store.refuse(asApiError(error).message))
                : undefined
            }
          />
          <LookalikeMark name={workflow.name} groups={lookalikes} />
        </>
      }
    >
      {mayUpdate ? (
        <Tooltip title={t("Name, slug, tags and more")}>
          <IconButton aria-label={t("Settings of {{name}}", { name: workflow.name })} onClick={onSettings}>
            <TuneRounded sx={{ fontSize: 20 }} />
          </IconButton>
        </Tooltip>
      ) : null}
      <SaveMark store={store} state={draft.state} />
      <Box sx={{ fontSize: 13, color: "text.secondary", whiteSpace: "nowrap" }}>
        {t("v{{version}} live", { version })}
      </Box>
      <Box sx={{ display: { xs: "none", lg: "block" }, maxWidth: 240, maxHeight: 22, overflow: "hidden" }}>
        <TagChips kind={kind} tags={workflow.tags} />
      </Box>
      <Box sx={{ flex: "1 1 0", minWidth: 0 }}>
        <WorstCaseMark store={store} answer={worst} onJump={onCause} />
      </Box>
      <Tooltip title={undone === undefined ? t("Nothing to undo") : t("Undo: {{undone}}", { undone })}>
        <span>
          <IconButton aria-label={t("Undo")} disabled={undone === undefined} onClick={() => store.undo()}>
            <UndoRounded sx={{ fontSize: 20 }} />
          </IconButton>
        </span>
      </Tooltip>
      <Tooltip title={redone === undefined ? t("Nothing to do again") : t("Redo: {{redone}}", { redone })}>
        <span>
          <IconButton aria-label={t("Redo")} disabled={redone === undefined} onClick={() => store.redo()}>
            <RedoRounded sx={{ fontSize: 20 }} />
          </IconButton>
        </span>
      </Tooltip>
      {props.assistant === null ? null : <AssistantButton assistant={props.assistant} />}
      <Verdict store={store} check={check} onClick={onProblems} />
      <ExportMenu kind={kind} workflow={workflow} store={store} nodeTypes={nodeTypes} />
      <TestMenu running={running} definition={store.document} selected={selected} onInput={onInput} />
      {mayUpdate ? (
        <Button variant="contained" onClick={() => setPublishing(true)}>
          {t("Publish")}
        </Button>
      ) : null}
      {publishing ? (
        <PublishDialog
          kind={kind}
          workflow={workflow}
          store={store}
          draft={draft}
          check={check}
          worst={worst}
          triggers={triggers}
          onPublished={onPublished}
          onClose={() => setPublishing(false)}
        />
      ) : null}
    </EditorHeader>
  );
}

/** Whether the work is safe: never while a text is on its way. */
function SaveMark({ store, state }: { store: EditorStore; state: SaveState }): ReactElement {
  const typing = useSyncExternalStore(store.subscribe, store.isTyping);
  const now = useNow(15_000);
  const save = toSaveText(
    typing && (state.is === "published" || state.is === "saved") ? { is: "unsaved" } : state,
    now,
  );
  return (
    <Box aria-live="polite">
      <ToneChip tone={save.tone} word={save.word} />
    </Box>
  );
}

interface VerdictProps {
  store: EditorStore;
  check: ServerCheck;
  onClick: () => void;
}

function Verdict({ store, check, onClick }: VerdictProps): ReactElement {
  const typing = useSyncExternalStore(store.subscribe, store.isTyping);
  const unread = useSyncExternalStore(store.subscribe, store.firstUnread);
  const errors = check.problems.filter(({ severity }) => severity === "error").length;
  const warnings = check.problems.length - errors;
  const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
  const look = (): { tone: "paused" | "queued" | "failed" | "completed"; word: string } => {
    if (unread !== null) return { tone: "failed", word: t("{{state}}: JSON not read", { state: unread }) };
    if (typing) return { tone: "queued", word: t("checking") };
    if (check.state === "failed") return { tone: "paused", word: t("not checked") };
    if (check.state === "checking") return { tone: "queued", word: t("checking") };
    if (errors > 0) return { tone: "failed", word: plural(errors, "problem") };
    return warnings > 0
      ? { tone: "paused", word: plural(warnings, "warning") }
      : { tone: "completed", word: t("valid") };
  };
  return (
    <Box aria-live="polite">
      <ButtonBase onClick={onClick} title={t("Show the problems")} sx={{ borderRadius: 1.5, font: "inherit" }}>
        <ToneChip {...look()} />
      </ButtonBase>
    </Box>
  );
}
