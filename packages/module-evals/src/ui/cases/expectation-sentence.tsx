import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { ExecutionStatusSchema } from "@oven/contract/run";
import { t, tx } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { PickInput, PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { toStatusLook } from "@oven/ui/components/status-look.ts";
import { type ReactElement, type ReactNode, useId } from "react";
import type { ExpectationDraft } from "./expectation-draft.ts";
import { MEASURE_WORDS } from "./expectation-words.ts";

export interface ExpectationSentenceProps {
  draft: ExpectationDraft;
  onChange: (more: Partial<ExpectationDraft>) => void;
}

/** One expectation as a sentence that has fields in it. */
export function ExpectationSentence({ draft, onChange }: ExpectationSentenceProps): ReactElement {
  return <Line>{toParts(draft, onChange)}</Line>;
}

function toParts(draft: ExpectationDraft, onChange: ExpectationSentenceProps["onChange"]): ReactNode {
  const path = (
    <Words
      label={t("Place in the output")}
      value={draft.path}
      width={150}
      onChange={(next) => onChange({ path: next })}
    />
  );
  const tool = <ToolField value={draft.tool} onChange={(next) => onChange({ tool: next })} />;
  switch (draft.type) {
    case "exact":
      return tx("{{place}} is exactly {{wanted}}", {
        place: path,
        wanted: <Long label={t("Value")} value={draft.value} onChange={(value) => onChange({ value })} />,
      });
    case "contains":
    case "notContains": {
      const texts = <TextsField draft={draft} onChange={onChange} />;
      return draft.type === "contains"
        ? tx("{{place}} contains {{texts}}", { place: path, texts })
        : tx("{{place}} does not contain {{texts}}", { place: path, texts });
    }
    case "matches":
      return tx("{{place}} matches {{pattern}}", {
        place: path,
        pattern: (
          <Words label={t("Pattern (RE2)")} value={draft.pattern} onChange={(pattern) => onChange({ pattern })} />
        ),
      });
    case "jsonPath":
      return tx("At {{path}} there is {{what}}", {
        path,
        what: (
          <ChoiceField
            size="small"
            value={draft.exists ? "something" : "nothing"}
            choices={[
              { value: "something", label: t("something") },
              { value: "nothing", label: t("nothing") },
            ]}
            onChange={(what) => onChange({ exists: what === "something" })}
            slotProps={{ htmlInput: { "aria-label": t("Something or nothing") } }}
          />
        ),
      });
    case "schema":
      return tx("{{place}} fits the schema {{schema}}", {
        place: path,
        schema: <Long label="JSON Schema" value={draft.schema} onChange={(schema) => onChange({ schema })} />,
      });
    case "cel":
      return tx("This is true: {{expression}}", {
        expression: (
          <Long
            label={t("Expression (CEL)")}
            value={draft.expression}
            helperText={t("It can read output, trigger, execution and ctx.")}
            onChange={(expression) => onChange({ expression })}
          />
        ),
      });
    case "judge":
      return tx("{{place}} gets at least {{threshold}} of 1 from the model {{model}}: {{rubric}}", {
        place: path,
        threshold: (
          <Words
            label={t("At least")}
            value={draft.threshold}
            width={90}
            onChange={(threshold) => onChange({ threshold })}
          />
        ),
        model: <ModelField value={draft.model} onChange={(model) => onChange({ model })} />,
        rubric: (
          <Long
            label={t("What a good output is like")}
            value={draft.rubric}
            onChange={(rubric) => onChange({ rubric })}
          />
        ),
      });
    case "toolCalled":
      return tx("The tool {{tool}} is called {{atLeast}} to {{atMost}} times, with {{args}}", {
        tool,
        atLeast: (
          <Words label={t("At least")} value={draft.atLeast} width={90} onChange={(atLeast) => onChange({ atLeast })} />
        ),
        atMost: (
          <Words
            label={t("At most")}
            value={draft.atMost}
            width={90}
            placeholder={t("any")}
            onChange={(atMost) => onChange({ atMost })}
          />
        ),
        args: (
          <Long label={t("Arguments as JSON; empty: any")} value={draft.args} onChange={(args) => onChange({ args })} />
        ),
      });
    case "toolNotCalled":
      return tx("The tool {{tool}} is not called", { tool });
    case "toolOrder":
      return tx("These tools are called in this order: {{tools}}", {
        tools: <ToolsField value={draft.tools} onChange={(tools) => onChange({ tools })} />,
      });
    case "status":
      return tx("The run ends as {{status}}, with the outcome {{outcome}} and the error {{error}}", {
        status: (
          <ChoiceField
            size="small"
            value={draft.status}
            choices={ExecutionStatusSchema.options.map((value) => ({ value, label: toStatusLook(value).word }))}
            onChange={(status) => onChange({ status })}
            slotProps={{ htmlInput: { "aria-label": t("Status") } }}
          />
        ),
        outcome: (
          <Words
            label={t("Outcome")}
            value={draft.outcome}
            width={130}
            placeholder={t("any")}
            onChange={(outcome) => onChange({ outcome })}
          />
        ),
        error: (
          <Words
            label={t("Code of the error")}
            value={draft.error}
            width={160}
            placeholder={t("any")}
            onChange={(error) => onChange({ error })}
          />
        ),
      });
    case "paused":
      return tx("The run waits for a person at the step {{node}}, about the tool {{tool}}", {
        node: (
          <Words
            label={t("Id of the step")}
            value={draft.node}
            width={150}
            placeholder={t("any")}
            onChange={(node) => onChange({ node })}
          />
        ),
        tool,
      });
    case "atMost":
      return tx("The run has at most {{limit}} {{measure}}", {
        limit: <Words label={t("Limit")} value={draft.limit} width={120} onChange={(limit) => onChange({ limit })} />,
        measure: (
          <ChoiceField
            size="small"
            value={draft.measure}
            // cast: its own keys
            choices={(Object.keys(MEASURE_WORDS) as ExpectationDraft["measure"][]).map((value) => ({
              value,
              label: MEASURE_WORDS[value],
            }))}
            onChange={(measure) => onChange({ measure })}
            slotProps={{ htmlInput: { "aria-label": t("What is limited") } }}
          />
        ),
      });
  }
}

function Line({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1, rowGap: 1.25, fontSize: 14 }}>
      {children}
    </Box>
  );
}

type FieldProps = Pick<TextFieldProps, "placeholder" | "helperText"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

function Words({ label, value, onChange, width, placeholder }: FieldProps & { width?: number }): ReactElement {
  return (
    <TextField
      size="small"
      label={label}
      value={value}
      placeholder={placeholder ?? ""}
      onChange={(event) => onChange(event.target.value)}
      sx={width === undefined ? { flex: "1 1 200px" } : { width }}
      {...(placeholder === undefined ? {} : { slotProps: { inputLabel: { shrink: true } } })}
    />
  );
}

/** Takes a line of its own. */
function Long({ label, value, onChange, helperText }: FieldProps): ReactElement {
  return (
    <TextField
      multiline
      minRows={1}
      maxRows={10}
      size="small"
      label={label}
      value={value}
      helperText={helperText}
      onChange={(event) => onChange(event.target.value)}
      sx={{ flex: "1 1 100%" }}
    />
  );
}

function TextsField({ draft, onChange }: ExpectationSentenceProps): ReactElement {
  const { texts, mode } = draft;
  return (
    <>
      {texts.map((text, index) => (
        <TextField
          key={index}
          multiline
          maxRows={6}
          size="small"
          label={texts.length === 1 ? t("Text") : t("Text {{number}}", { number: index + 1 })}
          value={text}
          onChange={(event) => onChange({ texts: texts.with(index, event.target.value) })}
          sx={{ flex: "1 1 200px" }}
        />
      ))}
      <Button size="small" onClick={() => onChange({ texts: [...texts, ""] })}>
        {t("another text")}
      </Button>
      {texts.length < 2 ? null : (
        <ChoiceField
          size="small"
          value={mode}
          choices={[
            { value: "all", label: t("all of them") },
            { value: "any", label: t("any of them") },
          ]}
          onChange={(next) => onChange({ mode: next })}
          slotProps={{ htmlInput: { "aria-label": t("All or any") } }}
        />
      )}
    </>
  );
}

function ToolField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactElement {
  const choices = useChoices("tool").filter((choice) => !choice.value.endsWith("*"));
  return (
    <Box sx={{ flex: "1 1 200px", minWidth: 0 }}>
      <PickInput id={useId()} label={t("Tool")} choices={choices} value={value} onChange={onChange} />
    </Box>
  );
}

function ToolsField({ value, onChange }: { value: string[]; onChange: (value: string[]) => void }): ReactElement {
  const choices = useChoices("tool").filter((choice) => !choice.value.endsWith("*"));
  return (
    <Box sx={{ flex: "1 1 100%", minWidth: 0 }}>
      <PickManyInput id={useId()} label={t("Tools")} choices={choices} value={value} onChange={onChange} />
    </Box>
  );
}

function ModelField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactElement {
  const choices = useChoices("model");
  return (
    <Box sx={{ flex: "1 1 180px", minWidth: 0 }}>
      <PickInput id={useId()} label={t("Model")} choices={choices} value={value} onChange={onChange} />
    </Box>
  );
}
