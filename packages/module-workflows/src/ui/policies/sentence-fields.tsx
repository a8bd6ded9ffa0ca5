import AddRounded from "@mui/icons-material/AddRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import type { Role } from "@oven/contract/access";
import type { Effect } from "@oven/contract/node";
import { t, tx } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { EFFECT_LOOK } from "@oven/ui/components/effect-words.ts";
import { PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import { type PickChoice, useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { type ReactElement, useId } from "react";
import { PastRunsFields } from "./past-runs-fields.tsx";
import type { MostKey, PolicyDraft, TargetBy, TargetPart } from "./policy-draft.ts";
import { BY_WORDS, MOST_WORDS } from "./policy-words.ts";
import { ScoreFields } from "./score-fields.tsx";
import { Line } from "./sentence-line.tsx";

export interface SentenceProps {
  draft: PolicyDraft;
  roles: readonly Role[];
  onChange: (more: Partial<PolicyDraft>) => void;
}

/** The rule as a sentence that has fields in it. */
export function RuleSentence({ draft, roles, onChange }: SentenceProps): ReactElement {
  const person = <PersonField role={draft.role} roles={roles} onChange={(role) => onChange({ role })} />;
  switch (draft.kind) {
    case "review-before":
      return (
        <Line below={<TargetFields parts={draft.target} onChange={(target) => onChange({ target })} />}>
          {tx("Before a run reaches any of these, {{person}} must approve:", { person })}
        </Line>
      );
    case "untrusted-flow": {
      const isAll = draft.target.length === 0;
      const target = (
        <ChoiceField
          size="small"
          value={isAll ? "all" : "some"}
          choices={SINKS}
          onChange={(value) => onChange({ target: value === "all" ? [] : [{ by: "tools", names: [] }] })}
          slotProps={{ htmlInput: { "aria-label": t("What it must not reach") } }}
        />
      );
      return (
        <Line
          below={isAll ? null : <TargetFields parts={draft.target} onChange={(parts) => onChange({ target: parts })} />}
        >
          {tx("What models and outside services answer reaches {{target}} only once {{person}} has approved it.", {
            target,
            person,
          })}
        </Line>
      );
    }
    case "bounded-loops":
      return (
        <Line>
          {tx("Every loop and every cycle ends by itself, a loop after at most {{limit}} passes.", {
            limit: (
              <TextField
                size="small"
                value={draft.limit}
                placeholder={t("any")}
                onChange={({ target: { value } }) => onChange({ limit: value })}
                sx={{ width: 96 }}
                slotProps={{ htmlInput: { inputMode: "numeric", "aria-label": t("At most so many passes") } }}
              />
            ),
          })}
        </Line>
      );
    case "allowed-models":
      return (
        <Line>
          {tx("Steps use only these models: {{models}}.", {
            models: <ModelsField models={draft.models} onChange={(models) => onChange({ models })} />,
          })}
        </Line>
      );
    case "forbidden-nodes":
      return (
        <Line>
          {tx("No workflow has a step of the type {{types}}.", {
            types: (
              <Names
                by="nodeTypes"
                label={t("Types of step")}
                names={draft.nodeTypes}
                onChange={(nodeTypes) => onChange({ nodeTypes })}
              />
            ),
          })}
        </Line>
      );
    case "scores":
      return (
        <Line below={<ScoreFields scores={draft.scores} onChange={(scores) => onChange({ scores })} />}>
          {t("A new version is published once the live one has been scored:")}
        </Line>
      );
    case "worst-case":
      return (
        <Line below={<MostFields most={draft.most} onChange={(most) => onChange({ most })} />}>
          {t("A run needs at most so much, whatever it meets:")}
        </Line>
      );
    case "past-runs":
      return <PastRunsFields draft={draft.pastRuns} onChange={(pastRuns) => onChange({ pastRuns })} />;
  }
}

function MostFields({
  most,
  onChange,
}: {
  most: PolicyDraft["most"];
  onChange: (most: PolicyDraft["most"]) => void;
}): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: "repeat(auto-fill, minmax(130px, 1fr))" }}>
      {(Object.keys(MOST_WORDS) as MostKey[]).map(
        (
          key, // cast: its own keys
        ) => (
          <TextField
            key={key}
            size="small"
            label={MOST_WORDS[key]}
            value={most[key]}
            placeholder={t("any")}
            onChange={({ target: { value } }) => onChange({ ...most, [key]: value })}
            slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
          />
        ),
      )}
    </Box>
  );
}

function PersonField({
  role,
  roles,
  onChange,
}: {
  role: string;
  roles: readonly Role[];
  onChange: (role: string) => void;
}): ReactElement {
  const known =
    roles.some(({ name }) => name === role) || role === "" ? roles : [...roles, { name: role, title: role }];
  return (
    <ChoiceField
      size="small"
      // An empty value is a choice of its own here.
      value={role === "" ? ANYBODY : role}
      choices={[
        { value: ANYBODY, label: t("a person") },
        ...known.map(({ name, title }) => ({
          value: name,
          label: t("a person with the role {{role}}", { role: title }),
        })),
      ]}
      onChange={(value) => onChange(value === ANYBODY ? "" : value)}
      sx={{ minWidth: 150, maxWidth: "100%" }}
      slotProps={{ htmlInput: { "aria-label": t("Who must approve") } }}
    />
  );
}

/** No name of a role has a star. */
const ANYBODY = "*";

/** For `untrusted-flow`: all that sends, or what is named. */
const SINKS = [
  { value: "all", label: t("anything that sends or acts") },
  { value: "some", label: t("what is named here") },
] as const;

interface TargetProps {
  parts: readonly TargetPart[];
  onChange: (parts: TargetPart[]) => void;
}

/** Everything that one of the parts names. */
function TargetFields({ parts, onChange }: TargetProps): ReactElement {
  const put = (index: number, part: TargetPart): void => onChange(parts.map((old, at) => (at === index ? part : old)));
  const choices = (Object.keys(BY_WORDS) as TargetBy[]).map((value) => ({ value, label: BY_WORDS[value] })); // cast: its own keys
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      {parts.map((part, index) => (
        <Box key={`${index} ${part.by}`} sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
          <ChoiceField
            size="small"
            value={part.by}
            choices={choices}
            onChange={(by) => put(index, { by, names: [] })}
            sx={{ width: 210 }}
            slotProps={{ htmlInput: { "aria-label": t("By what it is named, {{number}}", { number: index + 1 }) } }}
          />
          <Names
            by={part.by}
            label={t("Names, {{number}}", { number: index + 1 })}
            names={part.names}
            onChange={(names) => put(index, { by: part.by, names })}
          />
          {parts.length === 1 ? null : (
            <IconButton
              size="small"
              aria-label={t("Remove “{{what}}”", { what: [BY_WORDS[part.by], ...part.names].join(" ") })}
              onClick={() => onChange(parts.filter((_, at) => at !== index))}
            >
              <CloseRounded sx={{ fontSize: 18 }} />
            </IconButton>
          )}
        </Box>
      ))}
      <Box>
        <Button size="small" startIcon={<AddRounded />} onClick={() => onChange([...parts, { by: "tags", names: [] }])}>
          {t("or something else")}
        </Button>
      </Box>
    </Box>
  );
}

const EFFECTS: readonly Effect[] = ["at-most-once", "at-least-once", "idempotent", "pure"];
/** What modules tag, and what has a meaning of its own. */
const TAGS = ["money", "outbound", "outside-content"];

function Names({
  by,
  label,
  names,
  onChange,
}: {
  by: TargetBy;
  label: string;
  names: string[];
  onChange: (names: string[]) => void;
}): ReactElement {
  const tools = useChoices("tool");
  const nodes = useNodeTypes() ?? [];
  const id = useId();
  if (by === "effects")
    return (
      <ChoiceField
        size="small"
        value={names[0] ?? ""}
        choices={EFFECTS.map((value) => ({ value, label: EFFECT_LOOK[value].word }))}
        onChange={(effect) => onChange([effect])}
        sx={{ flex: "1 1 220px", minWidth: 0 }}
        slotProps={{ htmlInput: { "aria-label": label } }}
      />
    );
  const choices: PickChoice[] =
    by === "tools"
      ? tools
      : by === "nodeTypes"
        ? nodes.map((node) => ({ value: node.id, label: node.title, detail: "", group: "" }))
        : TAGS.map((tag) => ({ value: tag, label: tag, detail: "", group: "" }));
  return <Pick id={id} label={label} choices={choices} names={names} onChange={onChange} />;
}

function ModelsField({ models, onChange }: { models: string[]; onChange: (models: string[]) => void }): ReactElement {
  const choices = useChoices("model");
  return <Pick id={useId()} label={t("Models")} choices={choices} names={models} onChange={onChange} />;
}

function Pick({
  id,
  label,
  choices,
  names,
  onChange,
}: {
  id: string;
  label: string;
  choices: readonly PickChoice[];
  names: string[];
  onChange: (names: string[]) => void;
}): ReactElement {
  return (
    <Box sx={{ flex: "1 1 220px", minWidth: 0 }}>
      <PickManyInput id={id} label={label} choices={choices} value={names} onChange={onChange} />
    </Box>
  );
}
