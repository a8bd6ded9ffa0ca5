import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Typography from "@mui/material/Typography";
import { getOwn, type Problem } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import type { StoredImport } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState, getAt, toPath } from "@oven/scope";
import { HelpText } from "@oven/ui/components/help-text.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { type ReactElement, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import type { EditorStore } from "../../editor/editor-store.ts";
import { drawnAs } from "../../graph/to-graph.ts";
import type { BranchPlace } from "../../inspector/branches.ts";
import { toFields } from "../../inspector/shape.ts";
import { variablesAt } from "../../inspector/variables.ts";
import { KindIcon } from "../../look/kind-icon.tsx";
import { CurlPaste } from "./curl-paste.tsx";
import { Fold } from "./fold.tsx";
import { IdentityFields } from "./identity-fields.tsx";
import { onInspectorKey } from "./inspector-keys.ts";
import { InputPanel, LastRun, type StepTrial } from "./last-run.tsx";
import { PastChooser } from "./past-chooser.tsx";
import { SIDE_PANEL } from "./side-panel.ts";
import { StateJson } from "./state-json.tsx";
import { StateSettings } from "./state-settings.tsx";
import type { CalledOutput, SampleOf } from "./use-called-outputs.ts";
import type { ConfigKeys } from "./use-config-keys.ts";
import type { Past } from "./use-past.ts";
import { lastValueOf, ObjectForm } from "./value-form.tsx";
import { VariableList, type VariableListProps } from "./variable-list.tsx";

export interface InspectorProps {
  store: EditorStore;
  stateId: string;
  nodeTypes: readonly NodeType[] | undefined;
  problems: readonly Problem[];
  /** A new number puts the cursor into the first field. */
  focus: number;
  /** The run that values and previews are taken from. */
  past: Past;
  config: ConfigKeys;
  calledOutput: CalledOutput;
  sampleOf: SampleOf;
  onNewStep?: ((branch: BranchPlace) => void) | undefined;
  /** The import that made the workflow; null: none did. */
  origin?: StoredImport | null;
  /** Absent where nothing is run. */
  trial?: StepTrial | undefined;
}

const TABS = [
  { id: "settings", title: t("Settings") },
  { id: "input", title: t("Input") },
  { id: "run", title: t("Last run") },
  { id: "json", title: "JSON" },
] as const;

/** What stands for a step of another product. */
const PLACEHOLDER = "core.placeholder";

/** The step that a curl command can become. */
const HTTP = "core.http";

type TabId = (typeof TABS)[number]["id"];

/** What the selected state is and does. Every change is one of the document at once. */
export function Inspector({
  store,
  stateId,
  nodeTypes,
  problems,
  focus,
  past,
  config,
  calledOutput,
  sampleOf,
  onNewStep,
  origin = null,
  trial,
}: InspectorProps): ReactElement | null {
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  const place = findState(definition, stateId);
  const [tab, setTab] = useState<TabId>("settings");
  const [filled, setFilled] = useState(0);
  const label = useRef<HTMLInputElement>(null);
  const base = useId();
  useEffect(() => {
    if (focus === 0) return;
    setTab("settings");
    // The tab's panel is there after the next paint.
    const frame = requestAnimationFrame(() => label.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [focus]);
  if (place === undefined) return null;
  const { state } = place;
  const path = toPath(place.address);
  const subject = { store, stateId, nodeTypes, problems, past, config, calledOutput, sampleOf, onNewStep };
  const { run } = past;
  const src = getAt(state, ["invoke", "src"]);
  const type = nodeTypes?.find(({ id }) => id === src);
  const drawn = drawnAs(state, nodeTypes);
  // A placeholder has them among its own settings.
  const isFilled = origin !== null && src !== PLACEHOLDER;
  const original = isFilled ? getOwn(origin.originals, stateId) : undefined;
  const title = typeof state.label === "string" && state.label !== "" ? state.label : stateId;
  return (
    <Box
      component="aside"
      aria-label={t("Settings of {{title}}", { title })}
      onKeyDown={(event) => onInspectorKey(event, stateId)}
      sx={{ ...SIDE_PANEL, display: "flex", flexDirection: "column" }}
    >
      <Box sx={{ display: "flex", gap: 1, alignItems: "center", px: 2, pt: 1.5, pb: 0.5 }}>
        <Box sx={{ flex: "none", display: "flex" }}>
          <KindIcon
            kind={drawn.kind}
            look={drawn.look}
            size={20}
            {...(drawn.title === "" ? {} : { title: drawn.title })}
          />
        </Box>
        <Typography
          variant="h2"
          title={title}
          sx={{
            minWidth: 0,
            flex: 1,
            overflow: "hidden",
            overflowWrap: "anywhere",
            display: "-webkit-box",
            WebkitBoxOrient: "vertical",
            WebkitLineClamp: "2",
          }}
        >
          {title}
        </Typography>
        {type === undefined || type.title === title ? null : (
          <Typography variant="body2" color="text.secondary" sx={{ flex: "none" }}>
            {type.title}
          </Typography>
        )}
      </Box>
      <Tabs
        value={tab}
        onChange={(_, next: TabId) => setTab(next)}
        aria-label={t("Parts of {{title}}", { title })}
        sx={{ borderBottom: 1, borderColor: "divider", px: 1, flex: "none" }}
      >
        {TABS.map(({ id, title: word }) => (
          <Tab key={id} value={id} label={word} id={`${base}-${id}`} aria-controls={`${base}-panel`} />
        ))}
      </Tabs>
      {tab === "json" ? null : <PastChooser past={past} />}
      <Box
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${tab}`}
        // What can be read there scrolls, and nothing in it takes the focus.
        tabIndex={tab === "input" ? 0 : undefined}
        sx={{ flex: 1, minHeight: 0, overflow: "auto", display: "grid", gap: 2, alignContent: "start", p: 2 }}
      >
        {tab === "json" ? (
          <StateJson store={store} state={state} stateId={stateId} path={path} problems={problems} />
        ) : tab === "run" ? (
          <LastRun run={run} stateId={stateId} definition={definition} trial={trial} />
        ) : tab === "input" ? (
          <InputPanel
            run={run}
            stateId={stateId}
            variables={variablesAt(definition, stateId, nodeTypes, { config, calledOutput, sampleOf })}
            lastValue={(variable) => lastValueOf(variable, past, config)}
          />
        ) : (
          <>
            <IdentityFields store={store} place={place} label={label} />
            {original === undefined || !isFilled ? null : (
              <Fold title={t("As it was in {{product}}", { product: origin.productTitle })}>
                <JsonView value={original} what={t("the settings of {{title}}", { title })} maxHeight={320} />
              </Fold>
            )}
            {type === undefined ? null : (
              <>
                <NodeHead type={type} />
                {type.id === HTTP ? (
                  <CurlPaste store={store} stateId={stateId} onFilled={() => setFilled(filled + 1)} />
                ) : null}
                {run === undefined ? null : (
                  <Fold title={t("Values of the last run")}>
                    <ScopeValues
                      variables={() => variablesAt(definition, stateId, nodeTypes, { config, calledOutput, sampleOf })}
                      lastValue={(variable) => lastValueOf(variable, past, config)}
                    />
                  </Fold>
                )}
                <ObjectForm
                  key={filled}
                  {...subject}
                  at={["invoke", "input"]}
                  fields={toFields(type.inputSchema)}
                  value={getAt(state, ["invoke", "input"])}
                  first={type.firstFields}
                />
              </>
            )}
            <StateSettings {...subject} place={place} />
          </>
        )}
      </Box>
    </Box>
  );
}

/** Every value in scope, to be dragged onto a field. Looked for when it is shown: that goes through the whole definition. */
function ScopeValues({
  variables,
  lastValue,
}: Pick<VariableListProps, "lastValue"> & { variables: () => VariableListProps["variables"] }): ReactElement {
  return (
    <>
      <Typography variant="body2" color="text.secondary">
        {t("Drag a value onto a field below.")}
      </Typography>
      <Box
        tabIndex={0}
        role="group"
        aria-label={t("Values in scope")}
        sx={{ maxHeight: 240, overflow: "auto", pr: 0.5 }}
      >
        <VariableList variables={variables()} lastValue={lastValue} />
      </Box>
    </>
  );
}

/** What the node does: its first sentence, the rest on demand. */
function NodeHead({ type }: { type: NodeType }): ReactElement {
  const [open, setOpen] = useState(false);
  const [first = "", ...rest] = type.docs.split("\n");
  return (
    <Typography variant="body2" color="text.secondary" sx={{ whiteSpace: "pre-line" }}>
      <HelpText text={open ? type.docs : first} />{" "}
      {rest.length === 0 ? null : (
        <Link component="button" type="button" variant="body2" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("Less") : t("Read more")}
        </Link>
      )}
    </Typography>
  );
}
