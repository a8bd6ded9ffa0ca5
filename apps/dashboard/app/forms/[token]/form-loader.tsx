"use client";

import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { BrandMark } from "../../../src/layout/brand-mark.tsx";

const FormApp = dynamic(() => import("../../../src/forms/form-app.tsx").then((module) => module.FormApp), {
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
