"use client";

import { BrandMark } from "@oven/ui/components/brand-mark.tsx";
import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { speakChosenLanguage } from "../../../src/i18n/chosen-language.ts";

async function loadForm() {
  const { triggersUi } = await import("@oven/module-triggers/ui");
  await speakChosenLanguage([triggersUi.words]);
  const { FormApp } = await import("@oven/module-triggers/ui/forms/form-app.tsx");
  return FormApp;
}

const FormApp = dynamic(loadForm, {
  ssr: false,
  loading: () => (
    <div className="boot" role="status" aria-label="The form is loading">
      <BrandMark size={40} />
    </div>
  ),
});

/** The form is made in the browser: what it asks is known there only. */
export function FormLoader({ token }: { token: string }): ReactElement {
  return <FormApp token={token} />;
}
