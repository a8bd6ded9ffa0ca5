import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Popover from "@mui/material/Popover";
import Typography from "@mui/material/Typography";
import type { UnboundedCause } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { type ReactElement, useState } from "react";
import type { WorstCaseAnswer } from "../definition/use-worst-case.ts";
import { WorstCaseView } from "../definition/worst-case-view.tsx";
import { toShortText } from "../definition/worst-case-words.ts";
import type { EditorStore } from "../editor/editor-store.ts";

export interface WorstCaseMarkProps {
  store: EditorStore;
  answer: WorstCaseAnswer;
  onJump: (cause: UnboundedCause) => void;
}

/** What a run of the canvas needs at most, in one quiet line; more of it when it is pressed. */
export function WorstCaseMark({ store, answer, onJump }: WorstCaseMarkProps): ReactElement | null {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { worst, failure } = answer;
  if (worst === null && failure === null) return null;
  const close = (): void => setAnchor(null);
  const maxTokens = worst?.tokens.most ?? 0;
  const maxCostMicros = worst?.costMicros.most ?? 0;
  // A budget of nothing would end a run at its first call once a model has a price.
  const budget = { ...(maxTokens > 0 ? { maxTokens } : {}), ...(maxCostMicros > 0 ? { maxCostMicros } : {}) };
  return (
    <>
      <ButtonBase
        title={t("What a run needs at most")}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        // It takes the room that is left, so that the bar keeps its height when it comes.
        sx={{
          display: { xs: "none", md: "inline-block" },
          maxWidth: "100%",
          px: 0.5,
          borderRadius: 1,
          font: "inherit",
          fontSize: 13,
          color: "text.secondary",
          overflow: "hidden",
          textOverflow: "ellipsis",
          whiteSpace: "nowrap",
        }}
      >
        {worst === null ? t("worst case not known") : toShortText(worst)}
      </ButtonBase>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{
          paper: {
            role: "dialog",
            "aria-label": t("What a run needs at most"),
            sx: { width: 400, maxWidth: "calc(100vw - 24px)", p: 2 },
          },
        }}
      >
        <Typography variant="h2" sx={{ mb: 1, fontSize: 15 }}>
          {t("What a run needs at most")}
        </Typography>
        {worst === null ? (
          <ErrorPanel error={failure} title={t("The worst case could not be computed")} />
        ) : (
          <Box sx={{ display: "grid", gap: 1.5 }}>
            <WorstCaseView
              worst={worst}
              onJump={(cause) => {
                close();
                onJump(cause);
              }}
            />
            {Object.keys(budget).length === 0 ? null : (
              <Box>
                <Button
                  size="small"
                  onClick={() => {
                    store.apply(t("Take the worst case as budget"), { document: { ...store.document, ...budget } });
                    close();
                  }}
                >
                  {t("Take it as the run's budget")}
                </Button>
              </Box>
            )}
          </Box>
        )}
      </Popover>
    </>
  );
}
