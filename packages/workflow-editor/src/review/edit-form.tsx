import Box from "@mui/material/Box";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { inferSchema, toChanges } from "@oven/ui/components/schema-form/schema-fields.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { firstDifference } from "@oven/ui/components/text-diff.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { ReviewSection } from "./review-section.tsx";
import type { Decision } from "./use-decision.ts";

/**
 * The proposal as a typed form, below what was proposed. It takes the focus when it opens: at the first difference where it was
 * edited before, else in its first field.
 */
export function EditForm({ review, decision }: { review: Review; decision: Decision }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [change] = useState(() => toChanges(review.proposal, decision.edited.value)[0]);
  useEffect(() => {
    const fields = [...(box.current?.querySelectorAll<HTMLInputElement>("input, textarea:not([aria-hidden])") ?? [])];
    const edited = fields.find(({ dataset }) => dataset.field === change?.name);
    (edited ?? fields[0])?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
    if (edited === undefined || typeof change?.before !== "string" || typeof change.after !== "string") return;
    const at = firstDifference(change.before, change.after);
    edited.setSelectionRange(at, at);
  }, [change]);
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
