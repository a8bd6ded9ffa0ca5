import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import type { ReactElement } from "react";
import { ReviewSection } from "./review-section.tsx";
import type { Decision } from "./use-decision.ts";

/** What a step that a crash left open has answered, written by the person who looked it up. */
export function SupplyForm({ decision }: { decision: Decision }): ReactElement {
  return (
    <ReviewSection title={t("Supply the output")}>
      <Typography color="text.secondary" sx={{ mb: 1.5, fontSize: 13 }}>
        {t("The run goes on as if the step had answered this. Look up what really happened first.")}
      </Typography>
      <SchemaForm
        label={t("Output of the step")}
        schema={null}
        value={decision.edited.value}
        onChange={(value, valid) => decision.setEdited({ value, valid })}
      />
    </ReviewSection>
  );
}
