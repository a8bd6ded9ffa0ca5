import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { getOwn, type JsonObject, setOwn } from "@oven/contract";
import type { FormAnswer, FormField, PublicForm } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { toFieldProblems } from "./field-problems.ts";
import { FormControl } from "./form-control.tsx";
import { type Answer, initialAnswer, readAnswer } from "./read-answer.ts";

interface FormFieldsProps {
  form: PublicForm;
  token: string;
  onSent: (answer: FormAnswer) => void;
}

/** The questions, and what the server says about the answers, beside each. */
export function FormFields({ form, token, onSent }: FormFieldsProps): ReactElement {
  // One for as long as the page is open: sent twice it starts one run.
  const [submission, setSubmission] = useState(newSubmission);
  const [answers, setAnswers] = useState<Record<string, Answer>>(() =>
    Object.fromEntries(form.fields.map((field) => [field.name, initialAnswer(field)])),
  );
  const [website, setWebsite] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const answer = (field: FormField, next: Answer): void => {
    setAnswers((all) => ({ ...all, [field.name]: next }));
    setProblems(({ [field.name]: _, ...others }) => others);
    // Another content is another submission.
    setSubmission(newSubmission());
  };

  const send = async (): Promise<void> => {
    const values: JsonObject = {};
    const unread: Record<string, string> = {};
    for (const field of form.fields) {
      const read = readAnswer(field, getOwn(answers, field.name) ?? initialAnswer(field));
      if ("problem" in read) setOwn(unread, field.name, read.problem);
      else if (read.value !== undefined) setOwn(values, field.name, read.value);
    }
    setFailure(null);
    setProblems(unread);
    if (Object.keys(unread).length > 0) return focusFirst(form, unread);
    setBusy(true);
    try {
      const body = { submission, values, website };
      const { json } = await api(`forms/${encodeURIComponent(token)}`, { method: "POST", body });
      onSent(json as FormAnswer); // cast: as the contract says
    } catch (error) {
      const found = toFieldProblems(error, form.fields);
      setProblems(found);
      setFailure(toMessage(error, Object.keys(found).length));
      focusFirst(form, found);
    } finally {
      setBusy(false);
    }
  };

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <Box component="form" noValidate onSubmit={onSubmit} sx={{ display: "grid", gap: 2.5 }}>
      {form.fields.map((field) => (
        <FormControl
          key={field.name}
          field={field}
          answer={getOwn(answers, field.name) ?? initialAnswer(field)}
          problem={getOwn(problems, field.name)}
          onChange={(next) => answer(field, next)}
        />
      ))}
      <Box aria-hidden="true" sx={{ position: "absolute", left: -10_000, width: 1, height: 1, overflow: "hidden" }}>
        <label htmlFor="form-website">{t("Leave this empty")}</label>
        <input
          id="form-website"
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={website}
          onChange={(event) => setWebsite(event.target.value)}
        />
      </Box>
      {failure === null ? null : (
        <Alert severity="error" role="alert">
          {failure}
        </Alert>
      )}
      <Button type="submit" variant="contained" size="large" loading={busy} sx={{ minHeight: 44 }}>
        {form.submitLabel}
      </Button>
    </Box>
  );
}

/** `crypto.randomUUID` is there over https only. */
function newSubmission(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function focusFirst({ fields }: PublicForm, problems: Record<string, string>): void {
  const first = fields.find(({ name }) => getOwn(problems, name) !== undefined);
  if (first !== undefined) document.getElementById(`field-${first.name}`)?.focus();
}

function toMessage(error: unknown, marked: number): string {
  if (marked > 0) return t("Some answers cannot be used yet. They are marked above.");
  if (error instanceof ApiError && error.status === 429)
    return t("Too many people send this form just now. Try again in a minute.");
  if (error instanceof ApiError && error.status === 409) return t("This form was closed meanwhile. Nothing was sent.");
  return error instanceof Error ? error.message : String(error);
}
