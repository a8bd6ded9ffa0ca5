"use client";

import { BrandMark } from "@oven/ui/components/brand-mark.tsx";
import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { speakChosenLanguage } from "../../src/i18n/chosen-language.ts";
import { uiModules } from "../../src/ui-modules.ts";

async function loadDashboard() {
  await speakChosenLanguage(uiModules.map(({ words }) => words));
  const { DashboardApp } = await import("../../src/dashboard-app.tsx");
  return DashboardApp;
}

const DashboardApp = dynamic(loadDashboard, {
  ssr: false,
  loading: () => (
    <div className="boot" role="status" aria-label="OVEN is loading">
      <BrandMark size={40} />
    </div>
  ),
});

export default function Page(): ReactElement {
  return <DashboardApp />;
}
