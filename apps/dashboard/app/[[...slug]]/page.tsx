"use client";

import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { speakChosenLanguage } from "../../src/i18n/chosen-language.ts";
import { BrandMark } from "../../src/layout/brand-mark.tsx";

async function loadDashboard() {
  await speakChosenLanguage();
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
