import Box from "@mui/material/Box";
import { type KeyboardEvent, type ReactElement, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { MONOSPACE } from "../../theme/tokens.ts";
import { Highlighted } from "./highlight.tsx";
import { indent, newLine, outdent, type TextChange } from "./indent.ts";
import { toLine } from "./json-positions.ts";

const LINE = 20;
const PAD = 10;

export interface EditorMark {
  line: number;
  severity: "error" | "warning";
  message: string;
}

export interface JsonEditorProps {
  value: string;
  onChange: (text: string) => void;
  label: string;
  marks: readonly EditorMark[];
  /** A place to show; a new object jumps again. */
  jump: { offset: number; end: number } | null;
  height: number | string;
  readOnly?: boolean;
}

function applyChange(area: HTMLTextAreaElement, change: TextChange, onChange: (text: string) => void): void {
  area.setSelectionRange(change.from, change.to);
  // The old command is the only one that keeps the browser's own undo history.
  if (!document.execCommand("insertText", false, change.insert)) {
    area.setRangeText(change.insert, change.from, change.to, "end");
    onChange(area.value);
  }
  area.setSelectionRange(...change.select);
}

/**
 * A textarea over its own coloured copy: real selection, undo, search and screen-reader text, with line numbers and
 * marks. Tab indents; Escape, then Tab, leaves.
 */
export function JsonEditor({
  value,
  onChange,
  label,
  marks,
  jump,
  height,
  readOnly = false,
}: JsonEditorProps): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const leaving = useRef(false);
  const coloured = useDeferredValue(value);
  const lines = useMemo(() => value.split("\n").length, [value]);
  const byLine = useMemo(() => new Map([...marks].reverse().map((mark) => [mark.line, mark])), [marks]);

  useEffect(() => {
    const element = area.current;
    if (jump === null || element === null) return;
    element.focus({ preventScroll: true });
    element.setSelectionRange(jump.offset, jump.end);
    const top = (toLine(element.value, jump.offset) - 1) * LINE + PAD;
    const view = scroller.current;
    if (view !== null) view.scrollTo({ top: Math.max(0, top - view.clientHeight / 3), left: 0 });
  }, [jump]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const element = event.currentTarget;
    const { selectionStart, selectionEnd } = element;
    if (event.key === "Escape") {
      // The first one is for Tab alone; another one is for what stands around.
      if (!leaving.current) event.preventDefault();
      leaving.current = true;
      return;
    }
    const left = leaving.current;
    leaving.current = false;
    if (readOnly || event.nativeEvent.isComposing) return;
    if (event.key === "Tab" && !left && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      applyChange(element, (event.shiftKey ? outdent : indent)(value, selectionStart, selectionEnd), onChange);
    } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      applyChange(element, newLine(value, selectionStart, selectionEnd), onChange);
    }
  };

  return (
    <Box
      sx={{
        position: "relative",
        "&:focus-within::after": {
          content: '""',
          position: "absolute",
          inset: 0,
          zIndex: 2,
          pointerEvents: "none",
          boxShadow: "inset 0 0 0 2px var(--oven-focus)",
        },
      }}
    >
      <Box
        ref={scroller}
        sx={{
          display: "grid",
          gridTemplateColumns: "auto 1fr",
          gridTemplateRows: "minmax(100%, auto)",
          height,
          overflow: "auto",
          fontFamily: MONOSPACE,
          fontSize: 12.5,
          lineHeight: `${LINE}px`,
          bgcolor: "background.paper",
        }}
      >
        <Gutter lines={lines} byLine={byLine} />
        <Box sx={{ position: "relative", minWidth: "max-content" }}>
          {[...byLine.values()].map((mark) => (
            <Box
              key={mark.line}
              aria-hidden
              sx={{
                position: "absolute",
                inset: `${PAD + (mark.line - 1) * LINE}px 0 auto 0`,
                height: LINE,
                bgcolor: `var(--oven-status-${mark.severity === "error" ? "failed" : "paused"}-soft)`,
              }}
            />
          ))}
          <Box
            component="pre"
            aria-hidden
            sx={{
              position: "relative",
              m: 0,
              p: `${PAD}px 14px`,
              minHeight: LINE,
              font: "inherit",
              whiteSpace: "pre",
              pointerEvents: "none",
            }}
          >
            <Highlighted text={coloured} />
            {"\n"}
          </Box>
          <Box
            component="textarea"
            ref={area}
            aria-label={label}
            aria-invalid={marks.some((mark) => mark.severity === "error")}
            value={value}
            readOnly={readOnly}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={onKeyDown}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            sx={{
              position: "absolute",
              inset: 0,
              width: "100%",
              height: "100%",
              m: 0,
              p: `${PAD}px 14px`,
              border: 0,
              outline: 0,
              resize: "none",
              overflow: "hidden",
              font: "inherit",
              whiteSpace: "pre",
              color: "transparent",
              caretColor: "var(--oven-text)",
              bgcolor: "transparent",
              "&::selection": {
                bgcolor: "color-mix(in srgb, var(--oven-focus) 28%, transparent)",
                color: "transparent",
              },
            }}
          />
        </Box>
      </Box>
    </Box>
  );
}

function Gutter({ lines, byLine }: { lines: number; byLine: ReadonlyMap<number, EditorMark> }): ReactElement {
  return (
    <Box
      aria-hidden
      sx={{
        position: "sticky",
        left: 0,
        zIndex: 1,
        py: `${PAD}px`,
        px: 1.25,
        textAlign: "right",
        userSelect: "none",
        color: "text.secondary",
        bgcolor: "var(--oven-sunken)",
        borderRight: "1px solid var(--oven-border)",
        minHeight: "100%",
      }}
    >
      {Array.from({ length: lines }, (_, index) => {
        const mark = byLine.get(index + 1);
        const ink =
          mark === undefined ? undefined : `var(--oven-status-${mark.severity === "error" ? "failed" : "paused"})`;
        return (
          <div
            key={index}
            title={mark?.message}
            style={ink === undefined ? undefined : { color: ink, fontWeight: 700 }}
          >
            {index + 1}
          </div>
        );
      })}
    </Box>
  );
}
