import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json } from "@oven/contract";
import type { SessionWait } from "@oven/contract/formats/sessions.ts";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";

export interface AnswerFormProps {
  session: string;
  wait: SessionWait;
  onAnswered: () => void;
}

/** What a step asks its user. */
export function AnswerForm({ session, wait, onAnswered }: AnswerFormProps): ReactElement {
  const { step, prompt, schema } = wait;
  const [answer, setAnswer] = useState<{ value: Json; valid: boolean }>({ value: {}, valid: true });
  const sending = useAction(async () => {
    await api(`graph-sessions/${session}/input`, { method: "POST", body: { step, input: answer.value } });
    onAnswered();
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void sending.run();
  };
  return (
    <Panel title={prompt ?? step} aside={<code>{step}</code>}>
      <Box component="form" onSubmit={send} sx={{ display: "grid", gap: 2 }}>
        <SchemaForm
          schema={schema}
          value={answer.value}
          label={t("Answer to {{step}}", { step })}
          onChange={(value, valid) => setAnswer({ value, valid })}
        />
        {sending.failure === null ? null : <ErrorPanel error={sending.failure} title={t("The answer was not taken")} />}
        <Box>
          <Button type="submit" variant="contained" size="small" disabled={sending.busy || !answer.valid}>
            {t("Answer")}
          </Button>
        </Box>
      </Box>
    </Panel>
  );
}
