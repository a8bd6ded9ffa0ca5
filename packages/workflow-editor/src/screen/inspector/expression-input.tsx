import DataObjectRounded from "@mui/icons-material/DataObjectRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isExpression } from "../../inspector/field-mode.ts";
import { pastText } from "../../inspector/past-text.ts";
import { toCelText, type Variable } from "../../inspector/variables.ts";
import type { CelEditorProps } from "./cel/cel-editor.tsx";
import { CelField } from "./cel/cel-field.tsx";
import { CompletionList } from "./completion-list.tsx";
import { FormContext } from "./form-context.ts";
import { Preview } from "./preview.tsx";
import { TemplateInput, type TemplateInputProps } from "./template-input.tsx";
import { cursorOf, cursorRect, type TextCursor } from "./text-cursor.ts";
import { useCompletion } from "./use-completion.ts";
import { VariablePicker } from "./variable-picker.tsx";

export interface ExpressionInputProps
  extends Pick<
    TemplateInputProps,
    "id" | "label" | "describedBy" | "value" | "onChange" | "placeholder" | "invalid" | "rows"
  > {
  /** What is wrong with CEL as the server reads it. */
  onProblem: CelEditorProps["onProblem"];
  /** What it is an expression of. */
  of: string;
  language: "template" | "code";
  /** A path that stands alone keeps its type; in a text it is a placeholder. */
  bare: boolean;
}

/** Where the picker was asked for. */
interface Asked {
  anchor: HTMLElement;
  start: number;
  end: number;
}

/**
 * A text with placeholders, or CEL. What is in scope is offered beside the cursor after `{{`, or `/` behind a space, and in a dialog by the
 * button.
 */
export function ExpressionInput({ of, bare, onProblem, ...props }: ExpressionInputProps): ReactElement {
  const { value, onChange, language } = props;
  const { variables, lastValue, past } = useContext(FormContext);
  const field = useRef<TextCursor | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [focused, setFocused] = useState(false);
  const written = language === "code" ? { $cel: value } : value;
  const said =
    language === "template" && past?.values !== undefined && isExpression(value) ? pastText(value, past.values) : null;
  const area = useRef<HTMLTextAreaElement | null>(null);
  const cursor = (): { start: number; end: number } =>
    field.current?.read() ?? { start: value.length, end: value.length };
  const insert = ({ path, keys }: Variable, place: { start: number; end: number }): void => {
    const before = value.slice(0, place.start);
    const after = value.slice(place.end);
    const alone = before.trim() === "" && after.trim() === "";
    const closed = after.replace(/^\s*\}\}/, "");
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
  const { offered, listId, look, onKeyDown, close } = useCompletion(offeredHere, insert);
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
              area.current = element;
              field.current = element === null ? null : cursorOf(element);
            }}
            onMoved={look}
            onKeyDown={onKeyDown}
            onBlur={close}
            completion={offered === null ? undefined : { listId, lit: offered.lit }}
          />
        )}
        {offered === null ? null : (
          <CompletionList
            id={listId}
            label={t("Variables for {{of}}", { of })}
            at={() => (area.current === null ? new DOMRect() : cursorRect(area.current, offered.start))}
            variables={offered.found}
            lit={offered.lit}
            lastValue={lastValue}
            onPick={(variable) => {
              close();
              insert(variable, offered);
            }}
          />
        )}
        {focused && isExpression(written) ? <Preview value={written} /> : null}
        {!focused && said !== null ? (
          <Box sx={{ fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
            {t("Last value: {{result}}", { result: said })}
          </Box>
        ) : null}
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
          onPick={(variable) => insert(variable, asked)}
          onClose={() => {
            setAsked(null);
            requestAnimationFrame(() => field.current?.put(asked.end));
          }}
        />
      )}
    </Box>
  );
}
