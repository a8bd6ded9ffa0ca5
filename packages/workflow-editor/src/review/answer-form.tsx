import { isObject } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { inferSchema } from "@oven/ui/components/schema-form/schema-fields.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { type ReactElement, useRef } from "react";
import { PageToOpen, toPage } from "./page-to-open.tsx";
import { ReviewSection } from "./review-section.tsx";
import type { Decision } from "./use-decision.ts";
import { useShortcuts } from "./use-shortcuts.ts";

/** The form that a run asks somebody to fill in: it stands where a proposal would. */
export function AnswerForm({ review, decision }: { review: Review; decision: Decision }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  useShortcuts({ e: () => box.current?.querySelector<HTMLElement>("input, textarea, [role=combobox]")?.focus() });
  const page = toPage(review.context);
  const { context, schema } = review;
  if (page !== null && isObject(schema?.properties) && Object.keys(schema.properties).length === 0)
    return (
      <ReviewSection title={t("To be done at a page")}>
        <PageToOpen page={page} note={isObject(context) && typeof context.note === "string" ? context.note : null} />
      </ReviewSection>
    );
  return (
    <ReviewSection title={t("To be filled in")}>
      <div ref={box}>
        <SchemaForm
          label={t("Answer")}
          schema={schema ?? inferSchema(review.proposal)}
          value={decision.edited.value}
          onChange={(value, valid) => decision.setEdited({ value, valid })}
        />
      </div>
    </ReviewSection>
  );
}
