import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { TableChange, TablePlan } from "@oven/contract/table";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { toCellText } from "../sheet/cell-text.ts";

/** What a change of columns would lose, and what stands in its way. */
export function PlanView({ plan }: { plan: TablePlan }): ReactElement {
  const shown = plan.changes.filter(({ lost, refused }) => lost > 0 || refused > 0);
  return (
    <Alert severity={plan.refused > 0 ? "error" : "warning"}>
      <Box sx={{ fontWeight: 600 }}>
        {plan.refused > 0
          ? t("Nothing was stored: {{count}} rows do not fit.", { count: plan.refused })
          : t("Nothing was stored yet: {{count}} values would be deleted.", { count: plan.lost })}
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {shown.map((change) => (
          <li key={`${change.change} ${change.column}`}>
            {changeText(change)}
            <Box component="ul" sx={{ m: 0, pl: 2.5, fontSize: 12.5 }}>
              {change.examples.map(({ row, value, why }) => (
                <li key={row}>
                  {value === null
                    ? t("Row {{row}}: {{why}}", { row, why })
                    : t("Row {{row}}, “{{text}}”: {{why}}", { row, text: toCellText(value).slice(0, 80), why })}
                </li>
              ))}
            </Box>
          </li>
        ))}
      </Box>
    </Alert>
  );
}

function changeText({ change, column, lost, refused }: TableChange): string {
  switch (change) {
    case "remove":
      return t("{{column}} is removed with {{count}} values", { column, count: lost });
    case "type":
      return t("{{column}}: {{count}} values do not fit the new type", { column, count: lost });
    case "required":
      return t("{{column}} is empty in {{count}} rows", { column, count: refused });
    default:
      return t("{{column}}: {{count}} rows have a value that stands twice", { column, count: refused });
  }
}
