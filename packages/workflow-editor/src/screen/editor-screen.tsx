import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { getOwn, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { asApiError } from "@oven/ui/api/api-error.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useDataProvider } from "react-admin";
import { useLocation } from "react-router-dom";
import { useServerCheck } from "../definition/use-server-check.ts";
import { useWorstCase } from "../definition/use-worst-case.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import { nodeAtPath } from "../editor/problem-marks.ts";
import { WorkflowEditor } from "../editor/workflow-editor.tsx";
import { toGraph } from "../graph/to-graph.ts";
import type { BranchPlace } from "../inspector/branches.ts";
import { RetryDialog } from "../run/retry-dialog.tsx";
import { AssistantPanel } from "./assistant/assistant-panel.tsx";
import { useAssistant } from "./assistant/use-assistant.ts";
import { useAuthorOf } from "./assistant/use-author-of.ts";
import { useFreshMarks } from "./assistant/use-fresh-marks.ts";
import { useMayBuild } from "./assistant/use-may-build.ts";
import { ConversationTab } from "./conversation/conversation-tab.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { type CoverContent, EditorCover } from "./editor-cover.tsx";
import { EditorDrawer } from "./editor-drawer.tsx";
import { EditorNotices } from "./editor-notices.tsx";
import { EditorSide } from "./editor-side.tsx";
import { ImportTab } from "./imports/import-tab.tsx";
import { useImport } from "./imports/use-import.ts";
import type { StepTrial } from "./inspector/last-run.tsx";
import { useCalledOutputs } from "./inspector/use-called-outputs.ts";
import { useConfigKeys } from "./inspector/use-config-keys.ts";
import { usePast } from "./inspector/use-past.ts";
import type { OpenDraft } from "./open-draft.ts";
import { ProblemsTab } from "./problems-tab.tsx";
import { PinDialog } from "./running/pin-dialog.tsx";
import { RunTab } from "./running/run-tab.tsx";
import { RunsTab } from "./running/runs-tab.tsx";
import { useRunning } from "./running/use-running.ts";
import type { SettingsSheet } from "./settings-sheet.ts";
import { TriggerSection } from "./triggers/trigger-section.tsx";
import { useNewTrigger } from "./triggers/use-new-trigger.tsx";
import { useTriggers } from "./triggers/use-triggers.ts";
import { useDraft } from "./use-draft.ts";
import { useFlushing } from "./use-flushing.ts";
import type { NamedDefinition } from "./versions/version-view.tsx";
import { VersionsTab } from "./versions/versions-tab.tsx";

export interface EditorScreenProps {
  kind: WorkflowKind;
  workflow: Workflow;
  opened: OpenDraft;
  store: EditorStore;
  nodeTypes: NodeType[] | undefined;
  settings: SettingsSheet;
}

/** Bar, palette and canvas, inspector, and the drawer below. */
export function EditorScreen(props: EditorScreenProps): ReactElement {
  const { kind, workflow, opened, store, nodeTypes, settings: SettingsSheet } = props;
  const theme = useTheme();
  const narrow = useIsNarrow();
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  const { selection } = useSyncExternalStore(store.subscribe, store.getState);
  const check = useServerCheck(kind.resource, definition);
  const isValid = check.state === "checked" && check.problems.every(({ severity }) => severity !== "error");
  const worst = useWorstCase(kind.resource, workflow.id, isValid ? definition : null);
  useFlushing(store);
  const working = useRef(false);
  const draft = useDraft(kind, workflow, store, opened, useAuthorOf(working));
  const mayBuild = useMayBuild();
  const assistant = useAssistant(workflow.id, mayBuild && kind.kind === "agent-workflow");
  const marks = useFreshMarks(draft.folded);
  const changed = useMemo(() => (draft.folded === null ? null : [...draft.folded.states.keys()]), [draft.folded]);
  const [shown, setShown] = useState<{ id: string; replace?: boolean } | null>(null);
  const config = useConfigKeys(kind);
  const calledOutput = useCalledOutputs(definition, nodeTypes);
  // Which settings were asked for, and how often: another state's must not take the focus when it is selected.
  const [asked, setAsked] = useState<{ of: string | null; count: number }>({ of: null, count: 0 });
  const [version, setVersion] = useState(workflow.version);
  const { state: opens } = useLocation();
  const [drawer, setDrawer] = useState<string | null>(opens?.drawer ?? null);
  const origin = useImport(kind, workflow.id, definition);
  const onShowRun = (): void => setDrawer("run");
  const running = useRunning({ kind, workflow, store, draft, check, nodeTypes, onShow: onShowRun });
  const overlay = useMemo(() => ({ ...running.overlay, marks }), [running.overlay, marks]);
  const triggers = useTriggers(kind, workflow.id);
  const trigger = useNewTrigger({
    kind,
    enabled: version > 1,
    workflowId: async () => workflow.id,
    onSaved: triggers.refetch,
  });
  const [branch, setBranch] = useState<BranchPlace | null>(null);
  const [settled, setSettled] = useState(true);
  const { pins } = running.testData.data;
  const sampleOf = useCallback((stateId: string) => getOwn(pins, stateId)?.output, [pins]);
  const mayCreate = useCan(`${kind.resource}.create`);
  const dataProvider = useDataProvider();
  const create = async (name: string, created: JsonObject): Promise<string> => {
    const { data } = await dataProvider.create<Workflow>(kind.resource, { data: { name, definition: created } });
    return data.slug;
  };
  const selected = [...selection.nodes].filter((id) => findState(definition, id) !== undefined);
  const [single] = selected;
  const past = usePast(kind, workflow.id, {
    isOpen: single !== undefined,
    ran: `${running.shown.id} ${running.shown.run?.status}`,
  });
  const focus = asked.of === (single ?? null) ? asked.count : 0;
  useEffect(() => {
    setAsked((last) => (last.of === null || last.of === single ? last : { of: null, count: 0 }));
  }, [single]);
  // The assistant takes the place of the workflow's settings, and on a small screen of a step's, until they are asked for.
  const isSmall = useMediaQuery(theme.breakpoints.down("lg"));
  const isCrowded = assistant?.open === true && focus === 0 && (single === undefined || isSmall);
  const [cover, setCover] = useState<CoverContent | null>(null);
  const uncover = useCallback(() => setCover(null), []);
  const look = (content: CoverContent): void => {
    setCover(content);
    // On a phone there is room for one of the two.
    if (narrow) setDrawer(null);
  };
  const onRestore = ({ name, definition: restored }: NamedDefinition): void => {
    store.apply(t("Restore {{name}}", { name }), { document: restored, select: [] });
    store.say(t("The draft is {{name}} now", { name }));
    setCover(null);
  };
  const onLive = (published: Workflow): void => {
    // Nothing was changed on the canvas: it shows what is live. A draft stays as it is.
    if (draft.state.is === "published") {
      store.load(published.definition);
      draft.published(published);
    }
    setVersion(published.version);
  };
  const onJump = useCallback(
    ({ path }: { path: string }): void => {
      const id = nodeAtPath(path, toGraph(store.document));
      if (id !== null) setShown({ id });
    },
    [store],
  );
  const onStep = useCallback(
    (id: string): void => {
      if (findState(store.document, id) === undefined) store.refuse(t("There is no step {{id}} any more", { id }));
      else setShown({ id });
    },
    [store],
  );
  useEffect(() => {
    document.title = `${workflow.name} · Editor · OVEN`;
  }, [workflow.name]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (store.isTyping() || draft.state.is === "unsaved" || draft.state.is === "saving") event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [draft.state.is, store]);
  const subject = {
    store,
    nodeTypes,
    problems: check.problems,
    past,
    config,
    calledOutput,
    sampleOf,
    onNewStep: setBranch,
    origin: origin.imported ?? null,
  };
  const trial: StepTrial = {
    refused: running.actions.going ? t("A run goes on") : running.actions.refused,
    isPinned: running.actions.isPinned,
    pin: running.setPin,
    runAlone: running.runAlone,
  };
  return (
    <Box sx={{ display: "flex", flexDirection: "column", height: "100%" }}>
      <EditorBar
        kind={kind}
        workflow={workflow}
        version={version}
        store={store}
        nodeTypes={nodeTypes}
        draft={draft}
        check={check}
        worst={worst}
        running={running}
        selected={selected.length === 1 ? (single ?? null) : null}
        onInput={onShowRun}
        onSettings={() => setSettled(false)}
        triggers={triggers}
        onPublished={(published) => {
          draft.published(published);
          setVersion(published.version);
        }}
        onProblems={() => setDrawer(drawer === "problems" ? null : "problems")}
        onCause={onJump}
        assistant={assistant}
      />
      <EditorNotices draft={draft} recovered={opened.recovered} document={definition} />
      <Box sx={{ flex: 1, minHeight: 0, display: "flex" }}>
        <Box sx={{ flex: 1, minWidth: 0, position: "relative" }}>
          <WorkflowEditor
            store={store}
            nodeTypes={nodeTypes}
            problems={check.problems}
            dark={theme.palette.mode === "dark"}
            label={t("Graph of {{name}}", { name: workflow.name })}
            onOpen={(of) => setAsked(({ count }) => ({ of, count: count + 1 }))}
            shown={shown}
            changed={changed}
            onAssistant={assistant?.toggle}
            narrow={narrow}
            overlay={overlay}
            runs={running.actions}
            covered={cover !== null}
            kind={kind.kind}
            // What went wrong is the state of the draft by then.
            onSave={() => void draft.flush().catch((error: unknown) => error)}
            onCreate={mayCreate ? create : undefined}
            onNewTrigger={trigger.ask}
            hasTriggers={triggers.list.length > 0}
            branch={branch}
            onBranchDone={() => setBranch(null)}
          />
          {cover === null ? null : (
            <EditorCover
              cover={cover}
              kind={kind}
              nodeTypes={nodeTypes}
              onRestore={onRestore}
              onLoad={(run, ran) => {
                running.load(run, ran);
                store.say(t("The input and the outputs of run #{{id}} are used by the next one", { id: run.id }));
                setCover(null);
              }}
              onShowRun={(id) => {
                setCover(null);
                setDrawer("run");
                running.show(id);
              }}
              onContinue={running.mayContinue ? running.mend : null}
              onClose={uncover}
            />
          )}
        </Box>
        <EditorSide
          subject={subject}
          trial={trial}
          selected={selected}
          focus={focus}
          narrow={narrow}
          hidden={cover !== null || isCrowded}
          onClose={() => setAsked({ of: null, count: 0 })}
        >
          <TriggerSection
            triggers={triggers.list}
            onAdd={trigger.ask === undefined ? undefined : () => trigger.ask?.(null)}
          />
        </EditorSide>
        {assistant === null ? null : (
          <AssistantPanel
            assistant={assistant}
            workflowId={workflow.id}
            draft={draft}
            definition={definition}
            working={working}
            onStep={onStep}
            onProblem={onJump}
            onFailure={(error) => store.refuse(asApiError(error).message)}
          />
        )}
      </Box>
      <EditorDrawer
        open={drawer}
        onOpen={setDrawer}
        sections={[
          {
            id: "run",
            label: t("Run"),
            content: () => <RunTab kind={kind} definition={definition} running={running} selected={single ?? null} />,
          },
          ...(kind.kind === "agent-workflow"
            ? [
                {
                  id: "conversation",
                  label: t("Conversation"),
                  content: () => (
                    <ConversationTab
                      kind={kind}
                      workflowId={workflow.id}
                      definition={definition}
                      nodeTypes={nodeTypes}
                      running={running}
                    />
                  ),
                },
              ]
            : []),
          {
            id: "runs",
            label: t("Past runs"),
            content: () => (
              <RunsTab
                kind={kind}
                workflowId={workflow.id}
                status={running.shown.run?.status}
                onLook={(id) => look({ is: "run", id })}
              />
            ),
          },
          {
            id: "versions",
            label: t("Versions"),
            content: () => (
              <VersionsTab
                kind={kind}
                workflowId={workflow.id}
                live={version}
                draft={definition}
                onPreview={(chosen) => look({ is: "version", shown: chosen })}
                onCompare={(from, to) => look({ is: "diff", from, to })}
                onRestore={onRestore}
                onLive={onLive}
              />
            ),
          },
          ...(origin.isThere
            ? [
                {
                  id: "import",
                  label: t("Import"),
                  content: () => (
                    <ImportTab
                      imported={origin.imported}
                      error={origin.error}
                      definition={definition}
                      selected={selected.length === 1 ? (single ?? null) : null}
                      onShow={(id) => setShown({ id })}
                      onReplace={(id) => setShown({ id, replace: true })}
                    />
                  ),
                },
              ]
            : []),
          {
            id: "problems",
            label: t("Problems ({{number}})", { number: check.problems.length }),
            content: () => <ProblemsTab check={check} definition={definition} onJump={onJump} />,
          },
        ]}
      />
      {trigger.sheet}
      {settled ? null : <SettingsSheet kind={kind} workflow={workflow} onClose={() => setSettled(true)} />}
      {running.mending === null ? null : (
        <RetryDialog
          run={running.mending}
          currentVersion={version}
          draft={draft}
          onClose={() => running.mend(null)}
          onStarted={(id) => {
            setCover(null);
            if (drawer !== "conversation") setDrawer("run");
            running.show(id);
          }}
        />
      )}
      {running.pinEdited === null ? null : (
        <PinDialog
          key={running.pinEdited}
          stateId={running.pinEdited}
          output={getOwn(running.pins, running.pinEdited)?.output}
          onChange={(output) => running.setPin(running.pinEdited ?? "", output)}
          onClose={() => running.editPin(null)}
        />
      )}
    </Box>
  );
}
