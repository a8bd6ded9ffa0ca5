"use client";

import dynamic from "next/dynamic";
import type { ReactElement } from "react";
import { BrandMark } from "../../src/layout/brand-mark.tsx";

const DashboardApp = dynamic(() => import("../../src/dashboard-app.tsx").then((module) => module.DashboardApp), {
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
