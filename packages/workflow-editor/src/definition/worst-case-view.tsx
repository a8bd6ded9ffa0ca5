import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Typography from "@mui/material/Typography";
import type { UnboundedCause, WorstCase, WorstCaseAmount } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { Fragment, type ReactElement } from "react";
import { causesOf, quantities, toAmountText, toCauseText } from "./worst-case-words.ts";

/** The step that needs most of it, where there are others. */
function Mainly({ amount: { most, largest } }: { amount: WorstCaseAmount }): ReactElement | null {
  if (largest === null || largest.most === most) return null;
  return (
    <Box component="span" sx={{ color: "text.secondary" }}>
      {` · ${t("most of it: {{state}}", { state: largest.state })}`}
    </Box>
  );
}

/** What a run needs at most, quantity by quantity, and what keeps some of them from having a limit. */
export function WorstCaseView({
  worst,
  onJump,
}: {
  worst: WorstCase;
  /** Shows the state that a cause is about; absent: there is no canvas to show it on. */
  onJump?: (cause: UnboundedCause) => void;
}): ReactElement {
  const causes = causesOf(worst);
  const tools = Object.entries(worst.tools);
  return (
    <Box sx={{ display: "grid", gap: 1.25, fontSize: 13 }}>
      <Box
        component="dl"
        sx={{ m: 0, display: "grid", gridTemplateColumns: "auto 1fr", columnGap: 2, rowGap: 0.5, "& dd": { m: 0 } }}
      >
        {quantities().map(({ key, label }) => (
          <Fragment key={key}>
            <Box component="dt" sx={{ color: "text.secondary" }}>
              {label}
            </Box>
            <Box component="dd" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {toAmountText(key, worst[key].most)}
              <Mainly amount={worst[key]} />
            </Box>
          </Fragment>
        ))}
        {tools.map(([tool, { most }]) => (
          <Fragment key={tool}>
            <Box component="dt" sx={{ color: "text.secondary", pl: 1.5, overflowWrap: "anywhere" }}>
              {tool}
            </Box>
            <Box component="dd" sx={{ fontVariantNumeric: "tabular-nums" }}>
              {toAmountText("toolCalls", most)}
            </Box>
          </Fragment>
        ))}
      </Box>
      {causes.length === 0 ? null : (
        <Box>
          <Typography variant="h3" sx={{ mb: 0.5 }}>
            {t("Without a limit")}
          </Typography>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
            {causes.map(({ cause, of }) => (
              <Box component="li" key={`${cause.state} ${cause.code} ${cause.about}`} sx={{ py: 0.5 }}>
                {onJump === undefined ? (
                  toCauseText(cause)
                ) : (
                  <ButtonBase
                    onClick={() => onJump(cause)}
                    sx={{ font: "inherit", textAlign: "left", borderRadius: 1, textDecoration: "underline" }}
                  >
                    {toCauseText(cause)}
                  </ButtonBase>
                )}
                <Box sx={{ color: "text.secondary" }}>{of.join(", ")}</Box>
              </Box>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  );
}
