import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { FormAnswer, PublicForm } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApiError } from "@oven/ui/api/api-error.ts";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { FormFields } from "./form-fields.tsx";

/** What the page shows: it loads, does not exist, is closed, is to be filled in, or was sent. */
type Shown =
  | { step: "loading" }
  | { step: "failed"; message: string }
  | { step: "open"; form: PublicForm }
  | { step: "sent"; form: PublicForm; message: string };

export function FormPage({ token }: { token: string }): ReactElement {
  const [shown, setShown] = useState<Shown>({ step: "loading" });
  useEffect(() => {
    const leaving = new AbortController();
    api(`forms/${encodeURIComponent(token)}`, { signal: leaving.signal })
      // cast: as the contract says
      .then(({ json }) => setShown({ step: "open", form: json as PublicForm }))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setShown({ step: "failed", message: toMessage(error) });
      });
    return () => leaving.abort();
  }, [token]);
  const title = "form" in shown ? shown.form.title : "Form";
  useEffect(() => {
    document.title = title;
  }, [title]);

  if (shown.step === "loading") return <Frame title="">{null}</Frame>;
  if (shown.step === "failed") {
    return (
      <Frame title={t("This form cannot be shown")}>
        <Alert severity="error">{shown.message}</Alert>
      </Frame>
    );
  }
  const { form } = shown;
  if (shown.step === "sent") {
    return (
      <Frame title={form.title}>
        <Alert severity="success" role="status" sx={{ whiteSpace: "pre-line" }}>
          {shown.message}
        </Alert>
      </Frame>
    );
  }
  if (!form.open) {
    return (
      <Frame title={form.title}>
        <Alert severity="info">{t("This form is closed. Nothing can be sent just now.")}</Alert>
      </Frame>
    );
  }
  const onSent = ({ message, redirect }: FormAnswer): void => {
    if (redirect === null) setShown({ step: "sent", form, message });
    else window.location.assign(redirect);
  };
  return (
    <Frame title={form.title} text={form.description}>
      <FormFields form={form} token={token} onSent={onSent} />
    </Frame>
  );
}

function toMessage(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return t("There is no form at this address. Check the link.");
  return error instanceof Error ? error.message : String(error);
}

function Frame({ title, text, children }: { title: string; text?: string | null; children: ReactNode }): ReactElement {
  return (
    <Box component="main" sx={{ minHeight: "100dvh", px: 2, py: { xs: 3, sm: 7 }, bgcolor: "background.default" }}>
      <Box
        sx={{
          maxWidth: 640,
          mx: "auto",
          p: { xs: 2.5, sm: 4 },
          border: 1,
          borderColor: "divider",
          borderRadius: 3,
          bgcolor: "background.paper",
        }}
      >
        {title === "" ? null : (
          <Typography variant="h1" sx={{ overflowWrap: "anywhere" }}>
            {title}
          </Typography>
        )}
        {text ? (
          <Typography color="text.secondary" sx={{ mt: 0.75, whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            {text}
          </Typography>
        ) : null}
        <Box sx={{ mt: 3 }}>{children}</Box>
      </Box>
    </Box>
  );
}
