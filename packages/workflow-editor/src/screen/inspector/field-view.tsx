import HelpOutlineRounded from "@mui/icons-material/HelpOutlineRounded";
import Box from "@mui/material/Box";
import Tooltip from "@mui/material/Tooltip";
import type { Json, Problem } from "@oven/contract";
import type { CelCheck } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { HelpText } from "@oven/ui/components/help-text.tsx";
import { problemText } from "@oven/ui/components/schema-note-text.ts";
import { visuallyHidden } from "@oven/ui/components/visually-hidden.ts";
import { type DragEvent, memo, type ReactElement, useContext, useId, useState } from "react";
import { checkValue } from "../../inspector/check-value.ts";
import { droppedCel, droppedText, VARIABLE_TYPE } from "../../inspector/dragged-variable.ts";
import { type FieldMode, isCel, isLiteral, modeOf, modesOf } from "../../inspector/field-mode.ts";
import { isShortList, pickerOf } from "../../inspector/pickers.ts";
import { readFree, toScalarText } from "../../inspector/scalar-text.ts";
import type { Field } from "../../inspector/shape.ts";
import { CodeProblems } from "./code-problems.tsx";
import type { FieldViewProps } from "./control-props.ts";
import { ExpressionInput } from "./expression-input.tsx";
import { FormContext } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { MissingValueFix } from "./missing-value-fix.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { TemplateInput } from "./template-input.tsx";
import { useTyped } from "./use-typed.ts";
import { ValueControl } from "./value-control.tsx";

const same = (one: FieldViewProps, other: FieldViewProps): boolean =>
  one.field === other.field && one.at.join("\n") === other.at.join("\n") && one.extra === other.extra;

const FIXED_MODES: readonly FieldMode[] = ["fixed", "text", "json"];

/** A field with its label, how its value is given, its control, and what is wrong with it. */
export const FieldView = memo(function FieldView({ field, at, extra }: FieldViewProps): ReactElement {
  const { write, type, seal, problemAt, problemsAt, fixed } = useContext(FormContext);
  const value = useTyped(at);
  const id = useId();
  const [chosen, setChosen] = useState<FieldMode | null>(null);
  const [left, setLeft] = useState(false);
  const [celProblem, setCelProblem] = useState<CelCheck["problem"]>(null);
  const picked = pickerOf(field) !== null;
  const found = modeOf(field.shape, value, picked);
  // What was chosen counts while nothing is given; then the value says how it is given.
  const mode =
    value === undefined
      ? (chosen ?? found)
      : chosen === "json" || (chosen === "text" && found === "fixed" && typeof value === "string")
        ? chosen
        : found;
  const isCode = mode === "cel" || (mode === "text" && field.name === "expression");
  const served = problemAt(at);
  const problem =
    (value !== undefined || left ? checkValue(field.shape, value, field.required) : null) ??
    (isCode && celProblem !== null ? `At ${celProblem.start + 1}: ${celProblem.message}` : null) ??
    // What was just dropped is not wrong, it is not filled in yet: its label says what is needed.
    (served === null || (served.rule === "input" && value === undefined) ? null : problemText(served).message);
  // A value that is missing is one problem; code that is there may have many.
  const codeProblems = field.shape.kind === "code" && typeof value === "string" ? problemsAt(at) : [];
  const isWarning = served?.severity === "warning" && problem === problemText(served).message;
  const isGroup = mode === "fixed" && isGrouped(field);
  const described = `${id}-hint`;
  const choose = (next: FieldMode): void => {
    setChosen(next);
    const text = typeof value === "string" ? value : undefined;
    if (next === "literal") write(at, { $literal: isLiteral(value) ? value.$literal : (text ?? "") });
    else if (next === "cel") write(at, { $cel: "" });
    else if (isLiteral(value) && next === "text" && typeof value.$literal === "string") write(at, value.$literal);
    else if (next !== "json") write(at, undefined);
    seal();
  };
  const [over, setOver] = useState(false);
  // Values that the definition fixes, and names, are no place for a path; of a group, its fields are.
  const takesPath = !fixed && field.plain !== true && !isGroup && field.shape.kind !== "code";
  const onDragOver = (event: DragEvent): void => {
    if (!takesPath || !event.dataTransfer.types.includes(VARIABLE_TYPE)) return;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = "copy";
    setOver(true);
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    const path = event.dataTransfer.getData(VARIABLE_TYPE);
    if (!takesPath || path === "") return;
    event.preventDefault();
    event.stopPropagation();
    if (isCode) {
      const before = isCel(value) ? value.$cel : typeof value === "string" ? value : "";
      const text = droppedCel(before, path);
      if (text !== null) write(at, mode === "cel" ? { $cel: text } : text);
    } else {
      const before = mode === "text" && typeof value === "string" ? value : "";
      write(at, droppedText(before, path, field.shape.kind !== "text" || PATHS.has(field.name)));
      setChosen("text");
    }
    seal();
  };
  return (
    <Box
      role={isGroup ? "group" : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      // Before the editor of CEL sees it, which would insert the path as a text.
      onDropCapture={isCode ? onDrop : undefined}
      onDrop={isCode ? undefined : onDrop}
      onBlur={() => {
        setLeft(true);
        seal();
      }}
      sx={{
        display: "grid",
        gap: 0.5,
        minWidth: 0,
        borderRadius: 1,
        ...(over ? { outline: "2px dashed var(--oven-focus)", outlineOffset: "3px" } : {}),
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, minHeight: 24 }}>
        <Box
          component={isGroup ? "span" : "label"}
          id={`${id}-label`}
          {...(isGroup ? {} : { htmlFor: id })}
          sx={{ fontSize: 13, fontWeight: 600, minWidth: 0, overflowWrap: "anywhere" }}
        >
          {field.label}
        </Box>
        {field.description === null ? null : (
          <Tooltip title={<HelpText text={field.description} />} placement="top-start">
            <HelpOutlineRounded aria-hidden sx={{ fontSize: 15, color: "text.secondary", opacity: 0.7 }} />
          </Tooltip>
        )}
        <Box sx={{ flex: 1 }} />
        {field.required ? (
          <Box component="span" sx={{ color: "text.secondary", fontSize: 12 }}>
            {t("needed")}
          </Box>
        ) : null}
        {extra}
        <ModeSwitch
          label={field.label}
          mode={mode}
          modes={
            field.plain === true
              ? modesOf(field.shape, picked).slice(0, 1)
              : fixed
                ? FIXED_MODES.filter((one) => one === "json" || one === modesOf(field.shape, picked)[0])
                : modesOf(field.shape, picked)
          }
          onChoose={choose}
        />
      </Box>
      {mode === "text" || mode === "cel" || mode === "literal" ? (
        <TextMode
          id={id}
          describedBy={described}
          mode={mode}
          field={field}
          value={value}
          invalid={problem !== null && !isWarning}
          isCode={isCode}
          onProblem={setCelProblem}
          onChange={(next) => type(at, next)}
        />
      ) : mode === "json" ? (
        <JsonField id={id} label={field.label} value={value} onChange={(next) => type(at, next)} />
      ) : (
        <ValueControl
          id={id}
          describedBy={described}
          field={field}
          at={at}
          value={value}
          invalid={problem !== null && !isWarning}
        />
      )}
      {problem === null ? (
        <Box id={described} sx={visuallyHidden}>
          {field.description === null ? null : <HelpText text={field.description} />}
        </Box>
      ) : (
        <Box
          id={described}
          sx={{
            fontSize: 12,
            color: isWarning ? "var(--oven-status-paused)" : "error.main",
            overflowWrap: "anywhere",
          }}
        >
          {codeProblems.length > 0 ? <CodeProblems fieldId={id} problems={codeProblems} /> : problem}
        </Box>
      )}
      {isWarning && typeof value === "string" && needsDefault(served) ? (
        <MissingValueFix
          text={value}
          path={served.about}
          onFix={(text) => {
            write(at, text);
            seal();
          }}
        />
      ) : null}
    </Box>
  );
}, same);

/** Whether it is about a value that is missing on some way, for which a default would stand. */
function needsDefault(problem: Problem | null): problem is Problem & { about: string } {
  return problem?.about !== undefined && ["may-be-missing", "never-there"].includes(problem.rule);
}

/** Whether its control is several: then no label element can belong to it. */
function isGrouped(field: Field): boolean {
  const { kind } = field.shape;
  return kind === "list" ? !isShortList(field) : ["object", "record", "variants", "schema"].includes(kind);
}

/** Texts that are a path, not a template. */
const PATHS: ReadonlySet<string> = new Set(["key", "path"]);

interface TextModeProps {
  id: string;
  describedBy: string;
  mode: "text" | "cel" | "literal";
  field: Field;
  value: Json | undefined;
  invalid: boolean;
  isCode: boolean;
  onProblem: (problem: CelCheck["problem"]) => void;
  onChange: (value: Json | undefined) => void;
}

function TextMode({
  id,
  describedBy,
  mode,
  field,
  value,
  invalid,
  isCode,
  onProblem,
  onChange,
}: TextModeProps): ReactElement {
  const { shape } = field;
  const written =
    mode === "cel" && isCel(value) ? value.$cel : mode === "literal" && isLiteral(value) ? value.$literal : value;
  if (mode === "literal" && typeof written !== "string")
    return (
      <JsonField
        id={id}
        label={field.label}
        value={written}
        onChange={(next) => onChange(next === undefined ? undefined : { $literal: next })}
      />
    );
  const text = typeof written === "object" ? "" : toScalarText(written);
  const write = (next: string): void => {
    if (mode === "cel") onChange({ $cel: next });
    else if (mode === "literal") onChange({ $literal: next });
    else onChange(next === "" ? undefined : shape.kind === "free" ? readFree(next) : next);
  };
  const rows = shape.kind === "text" && shape.long ? 2 : 1;
  const shared = { id, describedBy, value: text, onChange: write, invalid, rows };
  const { placeholderOf } = useContext(FormContext);
  const placeholder = isCode ? "trigger.amount > 100" : placeholderOf(field);
  if (mode === "literal" || field.plain === true)
    return <TemplateInput {...shared} placeholder={placeholder} language="plain" />;
  return (
    <ExpressionInput
      {...shared}
      of={field.label}
      placeholder={placeholder}
      language={isCode ? "code" : "template"}
      onProblem={onProblem}
      // A path that stands alone keeps the type of what it leads to, which a text field does not want.
      bare={shape.kind !== "text" || PATHS.has(field.name)}
    />
  );
}
