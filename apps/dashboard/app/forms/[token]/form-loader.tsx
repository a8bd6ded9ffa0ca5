"use client";

import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { speakChosenLanguage } from "../../../src/i18n/chosen-language.ts";
import { BrandMark } from "../../../src/layout/brand-mark.tsx";

async function loadForm() {
  await speakChosenLanguage();
  const { FormApp } = await import("../../../src/forms/form-app.tsx");
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
