import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { isObject, type JsonObject } from "@oven/contract";
import type { ChatTarget } from "@oven/contract/agent";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { ReactElement } from "react";

export interface EmbedInputProps {
  mode: "chat" | "form";
  /** `agent:3`. */
  target: string;
  input: JsonObject;
  onChange: (input: JsonObject, valid: boolean) => void;
}

/** What every run of an embed gets besides what its visitor says; nothing where the target takes nothing else. */
export function EmbedInput(props: EmbedInputProps): ReactElement | null {
  if (props.target === "") return null;
  return props.mode === "form" ? <InputOfForm {...props} /> : <InputOfChat {...props} />;
}

function InputOfChat(props: EmbedInputProps): ReactElement | null {
  const { data: targets, error } = useAnswer<ChatTarget[]>("chat-targets");
  const target = targets?.find(({ kind, id }) => `${kind}:${id}` === props.target);
  const hint = t("Every run gets these values with the message. Visitors neither see nor change them.");
  return <Input {...props} schema={targets && (target?.parameters ?? null)} error={error} hint={hint} />;
}

function InputOfForm(props: EmbedInputProps): ReactElement | null {
  const [kind, id] = props.target.split(":");
  const { data: workflow, error } = useAnswer<Workflow>(`${kind}s/${id}`);
  const hint = t("Every run gets these values. Visitors are not asked for a field that has one.");
  return <Input {...props} schema={workflow && fieldsOf(workflow)} error={error} hint={hint} />;
}

interface InputProps extends EmbedInputProps {
  /** Undefined: it is being read. Null: there is nothing to be set. */
  schema: JsonObject | null | undefined;
  error: unknown;
  hint: string;
}

function Input({ target, schema, error, hint, input, onChange }: InputProps): ReactElement | null {
  if (error) return <ErrorPanel error={error} title={t("The fields of the input could not be read")} />;
  // Most targets take nothing else: a place is held for what is known to come.
  if (schema === undefined && Object.keys(input).length > 0)
    return <Skeleton variant="rounded" height={80} aria-label={t("Loading")} />;
  if (schema == null) return null;
  return (
    <Panel title={t("Input of every run")}>
      <Box sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ color: "text.secondary" }}>{hint}</Box>
        <SchemaForm
          key={target}
          schema={schema}
          value={input}
          label={t("Input of every run")}
          onChange={(value, valid) => onChange(value as JsonObject, valid)} // cast: the form of an object gives one
        />
      </Box>
    </Panel>
  );
}

/** None is needed: visitors fill in what is left open. */
function fieldsOf({ definition: { payloadSchema } }: Workflow): JsonObject | null {
  if (!isObject(payloadSchema) || !isObject(payloadSchema.properties)) return null;
  const { required: _required, ...schema } = payloadSchema;
  return schema;
}
