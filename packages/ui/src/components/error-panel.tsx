import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import type { ReactElement, ReactNode } from "react";
import { asApiError, toReport } from "../api/api-error.ts";
import { MONOSPACE } from "../theme/tokens.ts";
import { CopyButton } from "./copy-button.tsx";

export interface ErrorPanelProps {
  error: unknown;
  /** What was attempted: "The workflow was not saved". */
  title: string;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
}

/** What happened, where, and what to do; code and details in a fold, to copy. Stays until it is solved. */
export function ErrorPanel({ error, title, onRetry, children }: ErrorPanelProps): ReactElement {
  const told = asApiError(error);
  const { code, message, fix, path, status } = told;
  // Asking again helps where the answer may change: no answer, an overload, a fault of the server.
  const mayChange = status === 0 || status === 429 || status >= 500;
  const report = toReport(told);
  return (
    <Box
      role="alert"
      sx={{
        display: "flex",
        gap: 1.25,
        p: 1.75,
        borderRadius: 2,
        border: "1px solid color-mix(in srgb, var(--oven-status-failed) 40%, transparent)",
        bgcolor: "var(--oven-status-failed-soft)",
      }}
    >
      <ErrorOutlineRounded sx={{ color: "error.main", fontSize: 20, mt: "1px" }} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography variant="h3" component="p">
          {title}
        </Typography>
        <Typography variant="body2" sx={{ mt: 0.25, overflowWrap: "anywhere" }}>
          {message}
          {path === undefined || message.includes(path) ? null : (
            <>
              {" "}
              <Box component="code" sx={{ whiteSpace: "nowrap" }}>
                {path}
              </Box>
            </>
          )}
        </Typography>
        {fix === undefined ? null : (
          <Typography variant="body2" sx={{ mt: 0.5, fontWeight: 550, overflowWrap: "anywhere" }}>
            {fix}
          </Typography>
        )}
        {children}
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "flex-start", mt: 1 }}>
          {onRetry === undefined || !mayChange ? null : (
            <Button size="small" variant="outlined" onClick={onRetry}>
              {t("Try again")}
            </Button>
          )}
          <Box
            component="details"
            sx={{ flex: 1, minWidth: 0, "& summary": { cursor: "pointer", fontSize: 12.5, py: 0.75 } }}
          >
            <summary>{t("Details · {{code}}", { code })}</summary>
            <Box sx={{ display: "flex", alignItems: "flex-start", gap: 1 }}>
              <Box
                component="pre"
                sx={{ m: 0, flex: 1, overflow: "auto", maxHeight: 240, fontFamily: MONOSPACE, fontSize: 12 }}
              >
                {report}
              </Box>
              <CopyButton text={report} what={t("the error's details")} />
            </Box>
          </Box>
        </Box>
      </Box>
    </Box>
  );
}
