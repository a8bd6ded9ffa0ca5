import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import { useTheme } from "@mui/material/styles";
import { getOwn, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useCallback, useEffect, useState, useSyncExternalStore } from "react";
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
import { ConversationTab } from "./conversation/conversation-tab.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { EditorDrawer } from "./editor-drawer.tsx";
import { EditorNotices } from "./editor-notices.tsx";
import { ImportTab } from "./imports/import-tab.tsx";
import { useImport } from "./imports/use-import.ts";
import { Inspector } from "./inspector/inspector.tsx";
import type { StepTrial } from "./inspector/last-run.tsx";
import { TOUCH_TARGETS } from "./inspector/touch-targets.ts";
import { useCalledOutputs } from "./inspector/use-called-outputs.ts";
import { useConfigKeys } from "./inspector/use-config-keys.ts";
import { usePast } from "./inspector/use-past.ts";
import { WorkflowInspector } from "./inspector/workflow-inspector.tsx";
import { ProblemsTab } from "./problems-tab.tsx";
import { PastRun } from "./running/past-run.tsx";
import { PinDialog } from "./running/pin-dialog.tsx";
import { RunTab } from "./running/run-tab.tsx";
import { RunsTab } from "./running/runs-tab.tsx";
import { useRunning } from "./running/use-running.ts";
import type { SettingsSheet } from "./settings-sheet.ts";
import { TriggerSection } from "./triggers/trigger-section.tsx";
import { useNewTrigger } from "./triggers/use-new-trigger.tsx";
import { useTriggers } from "./triggers/use-triggers.ts";
import { type OpenDraft, useDraft } from "./use-draft.ts";
import { useFlushing } from "./use-flushing.ts";
import { type NamedDefinition, VersionDiff, VersionPreview } from "./versions/version-view.tsx";
import { VersionsTab } from "./versions/versions-tab.tsx";

export interface EditorScreenProps {
  kind: WorkflowKind;
  workflow: Workflow;
  opened: OpenDraft;
  store: EditorStore;
  nodeTypes: NodeType[] | undefined;
  settings: SettingsSheet;
}

/** What is looked at in the place of the canvas. */
type CoverContent =
  | { is: "version"; shown: NamedDefinition }
  | { is: "run"; id: number }
  | { is: "diff"; from: NamedDefinition; to: NamedDefinition };

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
  const draft = useDraft(kind, workflow, store, opened);
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
  const [single, ...others] = [...selection.nodes].filter((id) => findState(definition, id) !== undefined);
  const past = usePast(kind, workflow.id, {
    isOpen: single !== undefined,
    ran: `${running.shown.id} ${running.shown.run?.status}`,
  });
  const focus = asked.of === (single ?? null) ? asked.count : 0;
  useEffect(() => {
    setAsked((last) => (last.of === null || last.of === single ? last : { of: null, count: 0 }));
  }, [single]);
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
  const onJump = ({ path }: { path: string }): void => {
    const id = nodeAtPath(path, toGraph(store.document));
    if (id !== null) setShown({ id });
  };
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
        selected={others.length === 0 ? (single ?? null) : null}
        onInput={onShowRun}
        onSettings={() => setSettled(false)}
        triggers={triggers}
        onPublished={(published) => {
          draft.published(published);
          setVersion(published.version);
        }}
        onProblems={() => setDrawer(drawer === "problems" ? null : "problems")}
        onCause={onJump}
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
            narrow={narrow}
            overlay={running.overlay}
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
          {cover?.is === "version" ? (
            <VersionPreview
              shown={cover.shown}
              nodeTypes={nodeTypes}
              onRestore={() => onRestore(cover.shown)}
              onClose={uncover}
            />
          ) : null}
          {cover?.is === "run" ? (
            <PastRun
              key={cover.id}
              kind={kind}
              id={cover.id}
              nodeTypes={nodeTypes}
              onLoad={(run, ran) => {
                running.load(run, ran);
                store.say(t("The input and the outputs of run #{{id}} are used by the next one", { id: run.id }));
                setCover(null);
              }}
              onShow={() => {
                setCover(null);
                setDrawer("run");
                running.show(cover.id);
              }}
              onContinue={running.mayContinue ? running.mend : null}
              onClose={uncover}
            />
          ) : null}
          {cover?.is === "diff" ? (
            <VersionDiff from={cover.from} to={cover.to} nodeTypes={nodeTypes} onClose={uncover} />
          ) : null}
        </Box>
        {narrow && single !== undefined ? (
          <Drawer
            anchor="bottom"
            open={focus > 0}
            onClose={() => setAsked({ of: null, count: 0 })}
            slotProps={{ paper: { "aria-label": `Settings of ${single}` } }}
          >
            <Box
              sx={{ maxHeight: "75dvh", overflow: "auto", "& > aside": { width: "auto", border: 0 }, ...TOUCH_TARGETS }}
            >
              <Inspector {...subject} key={single} stateId={single} focus={focus} trial={trial} />
            </Box>
          </Drawer>
        ) : null}
        {cover !== null || narrow || others.length > 0 ? null : single === undefined ? (
          <WorkflowInspector {...subject} stateId={null} focus={focus}>
            <TriggerSection
              triggers={triggers.list}
              onAdd={trigger.ask === undefined ? undefined : () => trigger.ask?.(null)}
            />
          </WorkflowInspector>
        ) : (
          <Inspector {...subject} key={single} stateId={single} focus={focus} trial={trial} />
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
                      selected={others.length === 0 ? (single ?? null) : null}
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
