import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Json, JsonObject, NodeType, Problem } from "@oven/contract";
import { KindIcon, toGraph } from "@oven/workflow-editor";
import { type EditorStore, findState, getAt, removeAt, renameState, setAt } from "@oven/workflow-editor/document";
import { type ReactElement, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { JsonEditor } from "../components/json-editor/json-editor.tsx";
import { parseDefinition, placeProblems, toMarks } from "../resources/workflows/check-definition.ts";

export interface StateFormProps {
  store: EditorStore;
  stateId: string;
  nodeTypes: readonly NodeType[] | undefined;
  problems: readonly Problem[];
  /** A new number puts the cursor into the first field. */
  focus: number;
}

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** What the selected state is called, and its JSON. Every change is one of the document at once. */
export function StateForm({ store, stateId, nodeTypes, problems, focus }: StateFormProps): ReactElement | null {
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  const place = findState(definition, stateId);
  const label = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus > 0) label.current?.focus();
  }, [focus]);
  const node = useMemo(
    () => toGraph(definition, nodeTypes).nodes.find(({ id }) => id === stateId),
    [definition, nodeTypes, stateId],
  );
  if (place === undefined || node === undefined) return null;
  const type = nodeTypes?.find(({ id }) => id === node.nodeType);
  const { address } = place;
  const write = (key: "label" | "description", text: string): void => {
    const at = [...address, key];
    const document = text === "" ? removeAt(definition, at) : setAt(definition, at, text);
    store.apply(`Change the ${key} of ${stateId}`, { document }, `${stateId}.${key}`);
  };
  return (
    <Box
      component="aside"
      aria-label={`Settings of ${node.label}`}
      sx={{
        width: 340,
        flex: "none",
        display: "grid",
        gap: 2,
        alignContent: "start",
        p: 2,
        overflow: "auto",
        borderLeft: 1,
        borderColor: "divider",
        bgcolor: "background.paper",
      }}
    >
      <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
        <KindIcon kind={node.kind} size={20} title={node.kind} />
        <Typography variant="h2" sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
          {node.label}
        </Typography>
      </Box>
      {type === undefined ? null : (
        <Typography variant="body2" color="text.secondary" sx={{ whiteSpace: "pre-line" }}>
          {type.docs}
        </Typography>
      )}
      <TextField
        label="Label"
        inputRef={label}
        value={toText(getAt(place.state, ["label"]))}
        placeholder={stateId}
        onChange={(event) => write("label", event.target.value)}
        onBlur={() => store.seal()}
      />
      <IdField key={stateId} store={store} stateId={stateId} />
      <TextField
        label="Description"
        multiline
        maxRows={4}
        value={toText(getAt(place.state, ["description"]))}
        onChange={(event) => write("description", event.target.value)}
        onBlur={() => store.seal()}
      />
      <StateJson store={store} state={place.state} stateId={stateId} path={node.path} problems={problems} />
    </Box>
  );
}

/** Renames when it is left, or on Enter; what refers to the state follows. */
function IdField({ store, stateId }: { store: EditorStore; stateId: string }): ReactElement {
  const [name, setName] = useState(stateId);
  const [reason, setReason] = useState<string | null>(null);
  const rename = (): void => {
    if (name === stateId) return;
    const result = renameState(store.document, stateId, name);
    if ("reason" in result) setReason(result.reason);
    else store.apply(`Rename ${stateId}`, result);
  };
  return (
    <TextField
      label="Id"
      value={name}
      error={reason !== null}
      helperText={reason ?? "Expressions read its result by it"}
      onChange={(event) => {
        setName(event.target.value);
        setReason(null);
      }}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === "Enter") rename();
      }}
      slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: "off" } }}
    />
  );
}

interface StateJsonProps {
  store: EditorStore;
  state: JsonObject;
  stateId: string;
  path: string;
  problems: readonly Problem[];
}

/** The state as JSON: what is typed is taken as soon as it is an object. */
function StateJson({ store, state, stateId, path, problems }: StateJsonProps): ReactElement {
  const [text, setText] = useState(() => JSON.stringify(state, null, 2));
  const written = useRef(state);
  // Changed elsewhere, by a gesture or by undo: the text follows.
  useEffect(() => {
    if (written.current === state) return;
    written.current = state;
    setText(JSON.stringify(state, null, 2));
  }, [state]);
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const own = useMemo(
    () =>
      problems.flatMap((problem) =>
        problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`)
          ? [{ ...problem, path: `$${problem.path.slice(path.length)}` }]
          : [],
      ),
    [problems, path],
  );
  const placed = parsed.ok ? placeProblems(text, parsed.positions, own) : [parsed.problem];
  const onChange = (next: string): void => {
    setText(next);
    const read = parseDefinition(next);
    const place = findState(store.document, stateId);
    if (!read.ok || place === undefined) return;
    written.current = read.definition;
    store.apply(
      `Edit ${stateId}`,
      { document: setAt(store.document, place.address, read.definition) },
      `${stateId}.json`,
    );
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Typography variant="h3">JSON</Typography>
      <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }} onBlur={() => store.seal()}>
        <JsonEditor
          label={`JSON of ${stateId}`}
          value={text}
          onChange={onChange}
          marks={toMarks(placed)}
          jump={null}
          height={300}
        />
      </Box>
      {placed.map((problem) => (
        <Box
          key={`${problem.path} ${problem.rule} ${problem.message}`}
          sx={{ fontSize: 12.5, color: problem.severity === "error" ? "error.main" : "warning.main" }}
        >
          line {problem.line}: {problem.message}. {problem.fix}
        </Box>
      ))}
    </Box>
  );
}
