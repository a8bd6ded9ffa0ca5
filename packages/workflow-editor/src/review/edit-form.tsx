import Box from "@mui/material/Box";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { inferSchema } from "@oven/ui/components/schema-form/schema-fields.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { type ReactElement, useEffect, useRef } from "react";
import { ReviewSection } from "./review-background.tsx";
import type { Decision } from "./use-decision.ts";

/** The proposal as a typed form, below what was proposed; it takes the focus when it opens. */
export function EditForm({ review, decision }: { review: Review; decision: Decision }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <ReviewSection title={t("Edit")}>
      <Box ref={box} sx={{ display: "grid", gap: 2, scrollMarginBottom: 180 }}>
        <SchemaForm
          label={t("Edited proposal")}
          schema={review.schema ?? inferSchema(review.proposal)}
          value={decision.edited.value}
          onChange={(value, valid) => decision.setEdited({ value, valid })}
        />
        <ChangeList before={review.proposal} after={decision.edited.value} />
      </Box>
    </ReviewSection>
  );
}
