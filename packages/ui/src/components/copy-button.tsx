import CheckRounded from "@mui/icons-material/CheckRounded";
import ContentCopyRounded from "@mui/icons-material/ContentCopyRounded";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { t } from "@oven/i18n";
import { type ReactElement, useEffect, useState } from "react";

type Outcome = "idle" | "copied" | "refused";

const WORDS: Record<Outcome, string> = {
  idle: t("Copy"),
  copied: t("Copied"),
  refused: t("The browser refused; select the text"),
};

/** The clipboard API needs a secure context; a plain-HTTP address in a local network has only the older way. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

export interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers and the hint: "URL". */
  what: string;
  label?: boolean;
  small?: boolean;
}

/** Copies a text and says whether that worked. */
export function CopyButton({ text, what, label = false, small = false }: CopyButtonProps): ReactElement {
  const [outcome, setOutcome] = useState<Outcome>("idle");
  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), 1_800);
    return () => clearTimeout(timer);
  }, [outcome]);
  const icon = outcome === "copied" ? <CheckRounded fontSize="inherit" /> : <ContentCopyRounded fontSize="inherit" />;
  const onClick = (event: { stopPropagation: () => void; preventDefault: () => void }): void => {
    event.stopPropagation();
    event.preventDefault();
    void copy(text).then((done) => setOutcome(done ? "copied" : "refused"));
  };
  const hint = outcome === "idle" ? t("Copy {{what}}", { what }) : WORDS[outcome];
  if (label) {
    return (
      <Button size="small" variant="outlined" startIcon={icon} onClick={onClick} aria-label={hint}>
        {outcome === "refused" ? t("Refused") : WORDS[outcome]}
      </Button>
    );
  }
  return (
    <Tooltip title={hint}>
      <IconButton
        size="small"
        onClick={onClick}
        aria-label={hint}
        sx={{ fontSize: small ? 13 : 16, p: small ? 0.375 : 0.625 }}
      >
        {icon}
      </IconButton>
    </Tooltip>
  );
}
