import Box from "@mui/material/Box";
import type { JsonObject, Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, setAt } from "@oven/scope";
import { JsonEditor } from "@oven/ui/components/json-editor/json-editor.tsx";
import { problemText } from "@oven/ui/components/schema-note-text.ts";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { parseDefinition, placeProblems, toMarks } from "../../definition/check-definition.ts";
import type { EditorStore } from "../../editor/editor-store.ts";

export interface StateJsonProps {
  store: EditorStore;
  state: JsonObject;
  stateId: string;
  path: string;
  problems: readonly Problem[];
}

/** The state as JSON: what is typed is taken as soon as it is an object. */
export function StateJson({ store, state, stateId, path, problems }: StateJsonProps): ReactElement {
  const [text, setText] = useState(() => store.unreadOf(stateId, state) ?? JSON.stringify(state, null, 2));
  const written = useRef(state);
  // Changed elsewhere, by a gesture or by undo: the text follows.
  useEffect(() => {
    if (written.current === state) return;
    written.current = state;
    store.keepUnread(stateId, null);
    setText(JSON.stringify(state, null, 2));
  }, [state, stateId, store]);
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
    store.keepUnread(stateId, read.ok ? null : { text: next, of: state });
    if (!read.ok) return;
    written.current = read.definition;
    store.type({
      key: `${stateId}.json`,
      label: t("Edit {{stateId}}", { stateId }),
      edit: (document) => {
        const at = findState(document, stateId)?.address;
        return at === undefined ? document : setAt(document, at, read.definition);
      },
    });
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }} onBlur={() => store.seal()}>
        <JsonEditor
          label={t("JSON of {{stateId}}", { stateId })}
          value={text}
          onChange={onChange}
          marks={toMarks(placed)}
          jump={null}
          height={420}
        />
      </Box>
      {placed.map((problem) => (
        <Box
          key={`${problem.path} ${problem.rule} ${problem.message}`}
          sx={{ fontSize: 12.5, color: problem.severity === "error" ? "error.main" : "warning.main" }}
        >
          {t("line {{line}}", { line: problem.line })}: {problemText(problem).message}. {problemText(problem).fix}
        </Box>
      ))}
    </Box>
  );
}
