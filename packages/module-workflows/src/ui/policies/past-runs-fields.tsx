import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import TextField from "@mui/material/TextField";
import type { EvalDataset } from "@oven/contract/eval";
import type { PastRunsRule, Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { WORKFLOW_KINDS } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import type { PastRunsDraft } from "./policy-draft.ts";
import { Line } from "./sentence-line.tsx";

interface FieldsProps {
  draft: PastRunsDraft;
  onChange: (draft: PastRunsDraft) => void;
}

/** What past runs must come to before a version is published, as a sentence with fields. */
export function PastRunsFields({ draft, onChange }: FieldsProps): ReactElement {
  const change = (more: Partial<PastRunsDraft>): void => onChange({ ...draft, ...more });
  return (
    <Line below={<Demands draft={draft} onChange={onChange} />}>
      {tx("Before a version of {{of}} is published, its last {{runs}} {{which}} are tried on it:", {
        of: <WorkflowChoice draft={draft} onChange={onChange} />,
        runs: (
          <TextField
            size="small"
            value={draft.runs}
            onChange={({ target: { value } }) => change({ runs: value })}
            sx={{ width: 72 }}
            slotProps={{ htmlInput: { inputMode: "numeric", "aria-label": t("How many runs") } }}
          />
        ),
        which: (
          <ChoiceField
            size="small"
            value={draft.status}
            choices={WHICH}
            onChange={(status) => change({ status })}
            slotProps={{ htmlInput: { "aria-label": t("Which runs") } }}
          />
        ),
      })}
    </Line>
  );
}

const WHICH: { value: PastRunsRule["status"]; label: string }[] = [
  { value: "all", label: t("runs") },
  { value: "failed", label: t("failed runs") },
];

/** No slug of a dataset. */
const NO_DATASET = "";

/** Datasets are about one workflow, so there is none to choose for a rule about all of them. */
function DatasetChoice({ draft, onChange }: FieldsProps): ReactElement | null {
  const mayRead = useCan("evals.read");
  const { workflow, dataset = NO_DATASET } = draft.given;
  const filter = encodeURIComponent(JSON.stringify({ kind: workflow?.kind, targetId: workflow?.id }));
  const { data = [] } = useAnswer<EvalDataset[]>(mayRead ? `eval-datasets?filter=${filter}` : null);
  if (data.length === 0 && dataset === NO_DATASET) return null;
  const choices = [
    { value: NO_DATASET, label: t("Any") },
    ...data.map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  const known = choices.some(({ value }) => value === dataset)
    ? choices
    : [...choices, { value: dataset, label: dataset }];
  return (
    <ChoiceField
      size="small"
      label={t("Only runs that asked what this dataset asks")}
      value={dataset}
      choices={known}
      onChange={(slug) => {
        const given = workflow === undefined ? {} : { workflow };
        onChange({ ...draft, given: slug === NO_DATASET ? given : { ...given, dataset: slug } });
      }}
      sx={{ width: 380, maxWidth: "100%", my: 0.5 }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    />
  );
}

function Demands({ draft, onChange }: FieldsProps): ReactElement {
  const change = (more: Partial<PastRunsDraft>): void => onChange({ ...draft, ...more });
  return (
    <Box sx={{ display: "grid", gap: 0.5, justifyItems: "start" }}>
      <TextField
        size="small"
        label={t("Percent that come out the same, at least")}
        value={draft.minSame}
        placeholder={t("any")}
        onChange={({ target: { value } }) => change({ minSame: value })}
        sx={{ width: 260, maxWidth: "100%", mb: 0.5 }}
        slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
      />
      <TextField
        size="small"
        label={t("Dollars for models that are asked anew")}
        value={draft.live}
        placeholder={t("none")}
        onChange={({ target: { value } }) => change({ live: value })}
        sx={{ width: 260, maxWidth: "100%", my: 0.5 }}
        slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
      />
      {draft.given.workflow === undefined ? null : <DatasetChoice draft={draft} onChange={onChange} />}
      <FormControlLabel
        label={t("None makes a tool call that was not there")}
        control={
          <Checkbox
            size="small"
            checked={draft.noNewToolCalls}
            onChange={(_, noNewToolCalls) => change({ noNewToolCalls })}
          />
        }
      />
      <FormControlLabel
        label={t("A person has looked at every difference")}
        control={
          <Checkbox
            size="small"
            checked={draft.everyDifferenceSeen}
            onChange={(_, everyDifferenceSeen) => change({ everyDifferenceSeen })}
          />
        }
      />
    </Box>
  );
}

/** No name of a workflow stands for all. */
const EVERY = "*";
const FIRST = { pagination: { page: 1, perPage: 200 }, sort: { field: "name", order: "ASC" as const } };

function WorkflowChoice({ draft, onChange }: FieldsProps): ReactElement {
  const [ofAgents, plain] = WORKFLOW_KINDS;
  const agents = useWorkflowsOf(ofAgents?.resource ?? "agent-workflows");
  const others = useWorkflowsOf(plain?.resource ?? "workflows");
  const { workflow } = draft.given;
  const value = workflow === undefined ? EVERY : `${workflow.kind}:${workflow.id}`;
  const choices = [
    { value: EVERY, label: t("any workflow") },
    ...agents.map(({ id, name }) => ({ value: `agent-workflow:${id}`, label: name })),
    ...others.map(({ id, name }) => ({ value: `workflow:${id}`, label: name })),
  ];
  const known = choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: t("workflow {{id}}", { id: workflow?.id ?? "" }) }];
  return (
    <ChoiceField
      size="small"
      value={value}
      choices={known}
      onChange={(chosen) => {
        const [kind, id] = chosen.split(":");
        // A dataset is about one workflow.
        const given = chosen === EVERY ? {} : { workflow: { kind: kind as "workflow", id: Number(id) } }; // cast: one of the two kinds
        onChange({ ...draft, given: chosen === value ? draft.given : given });
      }}
      sx={{ minWidth: 150, maxWidth: "100%" }}
      slotProps={{ htmlInput: { "aria-label": t("Of which workflow") } }}
    />
  );
}

function useWorkflowsOf(resource: string): Workflow[] {
  return useGetList<Workflow>(resource, FIRST, { enabled: useCan(`${resource}.read`) }).data ?? [];
}
