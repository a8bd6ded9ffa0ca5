import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { Agent } from "@oven/contract/agent";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { PickInput, PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { SchemaPart } from "@oven/workflow-editor/screen/inspector/schema-part.tsx";
import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import type { AgentDraft } from "./agent-draft.ts";

export interface AgentFormProps {
  initial: AgentDraft;
  creating: boolean;
  cancelTo: string;
  save: (draft: AgentDraft) => Promise<void>;
}

const NO_VERSION = { workflow: undefined, kind: undefined };
const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "name", order: "ASC" as const } };

/** All that an agent is made of, without a line of JSON. */
export function AgentForm({ initial, creating, cancelTo, save }: AgentFormProps): ReactElement {
  const [draft, setDraft] = useState(initial);
  const change = (more: Partial<AgentDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const saving = useAction(() => save(draft));
  const ownLoop = draft.workflowId === null;
  return (
    <Box
      component="form"
      aria-label={t("Agent")}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void saving.run();
      }}
      sx={{ display: "grid", gap: 2, maxWidth: 900 }}
    >
      <Section title={t("What it is")}>
        <TextField
          required
          autoFocus={creating}
          label={t("Name")}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 200 } }}
        />
        <TextField
          label={t("Slug")}
          value={draft.slug}
          placeholder={creating ? t("made from the name") : ""}
          helperText={t("Where it is called: /api/agents/slug/invoke. Lower-case letters, digits and dashes.")}
          onChange={(event) => change({ slug: event.target.value })}
        />
        <TextField
          label={t("Description")}
          multiline
          maxRows={4}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <FormControlLabel
          control={<Switch checked={draft.enabled} onChange={(_, enabled) => change({ enabled })} />}
          label={t("Enabled")}
        />
      </Section>
      <Section title={t("Instructions")}>
        <TextField
          label={t("Instructions")}
          multiline
          minRows={10}
          maxRows={30}
          value={draft.systemPrompt}
          helperText={
            draft.exposedParameters === null
              ? t("What the model is told before every conversation.")
              : "What the model is told before every conversation. A parameter is read as {{ $.trigger.name }}."
          }
          onChange={(event) => change({ systemPrompt: event.target.value })}
        />
      </Section>
      <ModelSection draft={draft} change={change} />
      <ToolSection draft={draft} change={change} />
      <MemorySection draft={draft} change={change} />
      <ParameterSection draft={draft} change={change} />
      <WorkflowSection draft={draft} change={change} />
      <Section title={t("Answers")}>
        <NumberField
          label={t("Most answers of the model in a run")}
          value={draft.maxToolIterations}
          placeholder="10"
          step={1}
          min={1}
          max={1000}
          onChange={(maxToolIterations) => change({ maxToolIterations })}
        />
        <FormControlLabel
          control={<Switch checked={draft.streaming} onChange={(_, streaming) => change({ streaming })} />}
          label={t("Show answers as they are written")}
        />
        {ownLoop || draft.callerTools ? (
          <FormControlLabel
            control={<Switch checked={draft.callerTools} onChange={(_, callerTools) => change({ callerTools })} />}
            label={t("Callers may bring tools, which they run by themselves")}
          />
        ) : null}
        <FormControlLabel
          control={<Switch checked={draft.a2aExport} onChange={(_, a2aExport) => change({ a2aExport })} />}
          label={t("Offer as an A2A agent")}
        />
        {ownLoop ? (
          <SchemaToggle
            label={t("The answer has a form")}
            hint={t("The answer is checked against it, and asked for again when it does not fit.")}
            name={t("Answer")}
            schema={draft.outputSchema}
            onChange={(outputSchema) => change({ outputSchema })}
          />
        ) : null}
      </Section>
      {creating ? null : (
        <TextField
          label={t("Note on this version")}
          value={draft.note}
          placeholder={t("Why it was changed")}
          onChange={(event) => change({ note: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 2_000 } }}
        />
      )}
      {saving.failure === null ? null : <ErrorPanel error={saving.failure} title={t("The agent was not saved")} />}
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button type="submit" variant="contained" loading={saving.busy} disabled={draft.name.trim() === ""}>
          {creating ? t("Create the agent") : t("Save")}
        </Button>
        <Button component={RouterLink} to={cancelTo}>
          {t("Cancel")}
        </Button>
      </Box>
    </Box>
  );
}

interface PartProps {
  draft: AgentDraft;
  change: (more: Partial<AgentDraft>) => void;
}

function ModelSection({ draft, change }: PartProps): ReactElement {
  const choices = useChoices("model", NO_VERSION);
  const id = useId();
  return (
    <Section title={t("Model")}>
      <Labelled id={id} label={t("Model")} hint={t("An alias, or provider:model. Empty: the alias fast.")}>
        <PickInput
          id={id}
          describedBy={`${id}-hint`}
          choices={choices}
          invalid={false}
          placeholder={t("fast")}
          value={draft.model}
          onChange={(model) => change({ model })}
        />
      </Labelled>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "repeat(3, 1fr)" } }}>
        <NumberField
          label={t("Temperature")}
          value={draft.temperature}
          min={0}
          max={2}
          step={0.1}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberField
          label={t("Most tokens of an answer")}
          value={draft.maxOutputTokens}
          min={1}
          step={1}
          onChange={(maxOutputTokens) => change({ maxOutputTokens })}
        />
        <NumberField
          label={t("Top P")}
          value={draft.topP}
          min={0}
          max={1}
          step={0.05}
          onChange={(topP) => change({ topP })}
        />
        <NumberField label={t("Seed")} value={draft.seed} step={1} onChange={(seed) => change({ seed })} />
        <NumberField
          label={t("Seconds for one call")}
          value={draft.timeoutSeconds}
          min={0.001}
          onChange={(timeoutSeconds) => change({ timeoutSeconds })}
        />
      </Box>
    </Section>
  );
}

function ToolSection({ draft, change }: PartProps): ReactElement {
  const choices = useChoices("tool", NO_VERSION);
  const id = useId();
  return (
    <Section title={t("Tools")}>
      <Labelled
        id={id}
        label={t("Tools it may call")}
        hint={t(
          "Of the catalogue, or a pattern such as orders.*; with ! before it, it takes away what the others name. Whoever talks to it must be allowed to use them as well.",
        )}
      >
        <PickManyInput
          id={id}
          describedBy={`${id}-hint`}
          choices={choices}
          invalid={false}
          placeholder="orders.get, orders.*, !orders.refund"
          value={draft.tools}
          onChange={(tools) => change({ tools })}
        />
      </Labelled>
    </Section>
  );
}

function MemorySection({ draft, change }: PartProps): ReactElement {
  const stores = useChoices("vector-store", NO_VERSION);
  const id = useId();
  return (
    <Section title={t("Memory")}>
      <FormControlLabel
        control={<Switch checked={draft.memory} onChange={(_, memory) => change({ memory })} />}
        label={t("It remembers facts from conversations")}
      />
      {draft.memory ? (
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
          <Choice
            label={t("Whose memories")}
            value={draft.memoryScope}
            choices={[
              ["", t("As configured")],
              ["agent", t("Everybody's, in one memory")],
              ["agent+user", t("Each person's own")],
            ]}
            onChange={(memoryScope) => change({ memoryScope })}
          />
          <Choice
            label={t("How they are found")}
            value={draft.memoryStrategy}
            choices={[
              ["", t("As configured")],
              ["semantic", t("By meaning")],
              ["keyword", t("By words")],
              ["hybrid", t("By both")],
            ]}
            onChange={(memoryStrategy) => change({ memoryStrategy })}
          />
          <NumberField
            label={t("How many are recalled")}
            value={draft.memoryTopK}
            min={1}
            max={100}
            step={1}
            onChange={(memoryTopK) => change({ memoryTopK })}
          />
          <Labelled id={id} label={t("Vector store")} hint={t("Empty: the tenant's own store for memories.")}>
            <PickInput
              id={id}
              describedBy={`${id}-hint`}
              choices={stores}
              invalid={false}
              placeholder={t("the tenant's own")}
              value={draft.memoryStore}
              onChange={(memoryStore) => change({ memoryStore })}
            />
          </Labelled>
        </Box>
      ) : null}
    </Section>
  );
}

function ParameterSection({ draft, change }: PartProps): ReactElement {
  return (
    <Section title={t("Parameters")}>
      <SchemaToggle
        label={t("Callers may set parameters")}
        hint={t("Anything else that a caller sends is refused.")}
        name={t("Parameters")}
        rootOnly
        schema={draft.exposedParameters}
        onChange={(exposedParameters) => change({ exposedParameters })}
      />
    </Section>
  );
}

function WorkflowSection({ draft, change }: PartProps): ReactElement | null {
  const mayRead = useCan("agent-workflows.read");
  const { data = [] } = useGetList<Workflow>("agent-workflows", ALL, { enabled: mayRead });
  const { data: agents = [] } = useGetList<Agent>("agents", ALL);
  if (!mayRead) return null;
  // What agents are made into is theirs.
  const own = new Set(
    agents.flatMap(({ workflowId, runsWorkflowId }) => (workflowId === null ? [runsWorkflowId] : [])),
  );
  const choices = data.filter(({ id }) => !own.has(id));
  const unknown = draft.workflowId !== null && choices.every(({ id }) => id !== draft.workflowId);
  return (
    <Section title={t("Workflow")}>
      <TextField
        select
        label={t("What it runs")}
        value={draft.workflowId ?? ""}
        helperText={
          draft.workflowId === null ? (
            t("A loop of the model and its tools, made from the settings above.")
          ) : (
            <Link component={RouterLink} to={`/agent-workflows/${draft.workflowId}/show`}>
              {t("Open the workflow")}
            </Link>
          )
        }
        onChange={(event) => change({ workflowId: event.target.value === "" ? null : Number(event.target.value) })}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      >
        <MenuItem value="">{t("Its own loop")}</MenuItem>
        {unknown ? (
          <MenuItem value={draft.workflowId ?? ""}>
            {t("Workflow {{workflowId}}", { workflowId: draft.workflowId })}
          </MenuItem>
        ) : null}
        {choices.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
      </TextField>
    </Section>
  );
}

function SchemaToggle({
  label,
  hint,
  name,
  rootOnly = false,
  schema,
  onChange,
}: {
  label: string;
  hint: string;
  name: string;
  rootOnly?: boolean;
  schema: JsonObject | null;
  onChange: (schema: JsonObject | null) => void;
}): ReactElement {
  return (
    <>
      <Box>
        <FormControlLabel
          control={
            <Switch
              checked={schema !== null}
              onChange={(_, on) => onChange(on ? { type: "object", properties: {} } : null)}
            />
          }
          label={label}
        />
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{hint}</Box>
      </Box>
      {schema === null ? null : (
        <SchemaPart
          name={name}
          schema={schema}
          rootOnly={rootOnly}
          ordered={false}
          onChange={(next) => onChange(next)}
        />
      )}
    </>
  );
}

export function NumberField({
  label,
  value,
  onChange,
  ...bounds
}: {
  label: string;
  value: string;
  onChange: (typed: string) => void;
  min?: number;
  max?: number;
  step?: number;
  placeholder?: string;
}): ReactElement {
  const { placeholder = t("as configured"), step = "any", ...limits } = bounds;
  return (
    <TextField
      type="number"
      label={label}
      value={value}
      placeholder={placeholder}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { ...limits, step }, inputLabel: { shrink: true } }}
    />
  );
}

function Choice<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}): ReactElement {
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)} // cast: one of the choices
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      {choices.map(([one, words]) => (
        <MenuItem key={one} value={one}>
          {words}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** A label above a field that has none of its own, and a line below. */
export function Labelled({
  id,
  label,
  hint,
  children,
}: {
  id: string;
  label: string;
  hint: string;
  children: ReactNode;
}): ReactElement {
  return (
    <Box>
      <Box component="label" htmlFor={id} sx={{ display: "block", mb: 0.5, fontSize: 13, fontWeight: 550 }}>
        {label}
      </Box>
      {children}
      <Box id={`${id}-hint`} sx={{ mt: 0.5, fontSize: 12.5, color: "text.secondary" }}>
        {hint}
      </Box>
    </Box>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Panel title={title}>
      <Box sx={{ display: "grid", gap: 2 }}>{children}</Box>
    </Panel>
  );
}
