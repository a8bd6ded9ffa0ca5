import DataObjectRounded from "@mui/icons-material/DataObjectRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isExpression } from "../../inspector/field-mode.ts";
import { toCelText, type Variable } from "../../inspector/variables.ts";
import type { CelEditorProps } from "./cel/cel-editor.tsx";
import { CelField } from "./cel/cel-field.tsx";
import { FormContext } from "./form-context.ts";
import { Preview } from "./preview.tsx";
import { TemplateInput, type TemplateInputProps } from "./template-input.tsx";
import { cursorOf, type TextCursor } from "./text-cursor.ts";
import { VariablePicker } from "./variable-picker.tsx";

export interface ExpressionInputProps extends Omit<TemplateInputProps, "input" | "onKeyUp" | "language"> {
  /** What is wrong with CEL as the server reads it. */
  onProblem: CelEditorProps["onProblem"];
  /** What it is an expression of. */
  of: string;
  language: "template" | "code";
  /** A path that stands alone keeps its type; in a text it is a placeholder. */
  bare: boolean;
}

/** Where the picker was asked for, and what was typed to ask. */
interface Asked {
  anchor: HTMLElement;
  start: number;
  end: number;
}

const OPENERS = /(\{\{\s?|(?:^|\s)\/)$/;

/** A text with placeholders, or CEL, with a picker of what is in scope: the button, `{{`, or `/` after a space. */
export function ExpressionInput({ of, bare, onProblem, ...props }: ExpressionInputProps): ReactElement {
  const { value, onChange, language } = props;
  const { variables, lastValue } = useContext(FormContext);
  const field = useRef<TextCursor | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [focused, setFocused] = useState(false);
  const written = language === "code" ? { $cel: value } : value;
  const offered = useRef<string | null>(null);
  const cursor = (): { start: number; end: number } =>
    field.current?.read() ?? { start: value.length, end: value.length };
  const pick = ({ path, keys }: Variable): void => {
    if (asked === null) return;
    const before = value.slice(0, asked.start);
    const after = value.slice(asked.end);
    const alone = before.trim() === "" && after.trim() === "";
    const closed = after.startsWith("}}") ? after.slice(2) : after;
    const text = language === "code" ? (toCelText(keys) ?? "") : alone && bare ? path : `{{ ${path} }}`;
    const rest = language === "code" ? after : closed;
    const at = before.length + text.length;
    // Before the next key arrives: whoever types on finds the cursor behind what was chosen.
    flushSync(() => {
      onChange(before + text + rest);
      setAsked(null);
    });
    if (language === "template") field.current?.put(at);
    // The editor of CEL takes the text over after it was drawn.
    else requestAnimationFrame(() => field.current?.put(at));
  };
  // Looked for when they are asked for: that goes through the whole definition.
  const offeredHere = (): Variable[] =>
    variables().filter(({ keys }) => language !== "code" || toCelText(keys) !== null);
  return (
    <Box sx={{ display: "flex", gap: 0.5, alignItems: "flex-start" }}>
      <Box sx={{ flex: 1, minWidth: 0 }} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
        {language === "code" ? (
          <CelField {...props} label={of} cursor={field} variables={variables} onProblem={onProblem} />
        ) : (
          <TemplateInput
            {...props}
            language={language}
            input={(element) => {
              field.current = element === null ? null : cursorOf(element);
            }}
            onKeyUp={(element) => {
              const { selectionStart, selectionEnd } = element;
              const typed = OPENERS.exec(element.value.slice(0, selectionStart))?.[1];
              if (typed === undefined || selectionStart !== selectionEnd) {
                offered.current = null;
                return;
              }
              // Asked once for each time it is typed, not at every arrow key beside it.
              if (offered.current === element.value) return;
              offered.current = element.value;
              setAsked({ anchor: element, start: selectionStart - typed.trimStart().length, end: selectionStart });
            }}
          />
        )}
        {focused && isExpression(written) ? <Preview value={written} /> : null}
      </Box>
      <IconButton
        size="small"
        aria-label={t("Insert a variable into {{of}}", { of })}
        aria-haspopup="dialog"
        onClick={(event) => setAsked({ anchor: event.currentTarget, ...cursor() })}
      >
        <DataObjectRounded sx={{ fontSize: 18 }} />
      </IconButton>
      {asked === null ? null : (
        <VariablePicker
          anchor={asked.anchor}
          label={t("Variables for {{of}}", { of })}
          variables={offeredHere()}
          lastValue={lastValue}
          onPick={pick}
          onClose={() => {
            setAsked(null);
            requestAnimationFrame(() => field.current?.put(asked.end));
          }}
        />
      )}
    </Box>
  );
}
