import Box from "@mui/material/Box";
import { splitTemplate } from "@oven/contract/workflow";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { Fragment, type KeyboardEvent, type ReactElement, type ReactNode, type Ref } from "react";

export interface TemplateInputProps {
  id: string;
  /** Where no label element names it. */
  label?: string | undefined;
  /** Ids of what describes it. */
  describedBy?: string | undefined;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string | undefined;
  invalid: boolean;
  /** Rows it begins with; it grows with its text. */
  rows: number;
  /** `template`: placeholders are shown as chips; `code`: the whole text is an expression. */
  language: "template" | "code" | "plain";
  input?: Ref<HTMLTextAreaElement>;
  /** After each change of the text or of the cursor's place. */
  onMoved?: ((element: HTMLTextAreaElement) => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLTextAreaElement>) => void) | undefined;
  onBlur?: (() => void) | undefined;
  /** The list of what could be inserted, and its entry that Enter takes. */
  completion?: { listId: string; lit: number } | undefined;
}

const TYPE = { fontSize: 13.5, lineHeight: "20px", p: "8px 10px", m: 0 } as const;

/**
 * A text whose placeholders look like chips. The chips are painted behind a plain text area, so keys, selection, paste and undo are
 * the browser's own and nothing typed ever becomes markup.
 */
export function TemplateInput(props: TemplateInputProps): ReactElement {
  const { id, label, describedBy, value, onChange, placeholder, invalid, rows, language, input } = props;
  const { onMoved, onKeyDown, onBlur, completion } = props;
  const font = language === "code" ? MONOSPACE : "inherit";
  const shared = {
    ...TYPE,
    gridArea: "1 / 1",
    minWidth: 0,
    fontFamily: font,
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  } as const;
  return (
    <Box
      sx={{
        display: "grid",
        maxHeight: 320,
        overflow: "auto",
        border: 1,
        borderColor: invalid ? "error.main" : "var(--oven-border-strong)",
        borderRadius: "7px",
        bgcolor: "background.paper",
        "&:focus-within": { outline: "2px solid var(--oven-focus)", outlineOffset: "-1px" },
      }}
    >
      <Box aria-hidden sx={{ ...shared, minHeight: rows * 20 + 16, color: "text.primary", pointerEvents: "none" }}>
        {language === "template" ? toChips(value) : value}
        {"\n"}
      </Box>
      <Box
        component="textarea"
        id={id}
        rows={rows}
        ref={input}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        value={value}
        placeholder={placeholder}
        onChange={(event) => {
          onChange(event.target.value);
          // What was pasted moves the cursor, too, without a selection of its own.
          onMoved?.(event.target);
        }}
        onSelect={(event) => onMoved?.(event.currentTarget)}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        aria-autocomplete={onMoved === undefined ? undefined : "list"}
        aria-controls={completion?.listId}
        aria-activedescendant={completion === undefined ? undefined : `${completion.listId}-${completion.lit}`}
        spellCheck={language !== "code"}
        sx={{
          ...shared,
          width: "100%",
          height: "100%",
          border: 0,
          outline: 0,
          resize: "none",
          overflow: "hidden",
          color: "transparent",
          caretColor: "var(--oven-text)",
          bgcolor: "transparent",
          "&::placeholder": { color: "text.secondary", opacity: 1 },
          "&::selection": { bgcolor: "color-mix(in srgb, var(--oven-focus) 28%, transparent)", color: "transparent" },
        }}
      />
    </Box>
  );
}

/** The text with each placeholder, and a path that is the whole of it, on a chip. Not one pixel wider than the text itself. */
function toChips(text: string): ReactNode {
  if (/^\$(\.|\[|config\.)/.test(text)) return <Chip text={text} />;
  const { parts } = splitTemplate(text);
  const nodes: ReactNode[] = [];
  let at = 0;
  for (const part of parts) {
    if (!("placeholder" in part)) continue;
    const open = text.lastIndexOf("{{", part.start);
    const close = text.indexOf("}}", part.start + part.placeholder.length) + 2;
    nodes.push(<Fragment key={`t${at}`}>{text.slice(at, open)}</Fragment>);
    nodes.push(<Chip key={`c${open}`} text={text.slice(open, close)} />);
    at = close;
  }
  nodes.push(<Fragment key="rest">{text.slice(at)}</Fragment>);
  return nodes;
}

function Chip({ text }: { text: string }): ReactElement {
  return (
    <Box
      component="span"
      data-chip=""
      sx={{
        borderRadius: "4px",
        color: "var(--oven-focus)",
        bgcolor: "color-mix(in srgb, var(--oven-focus) 12%, transparent)",
        boxShadow: "0 0 0 1px color-mix(in srgb, var(--oven-focus) 35%, transparent)",
        boxDecorationBreak: "clone",
      }}
    >
      {text}
    </Box>
  );
}
