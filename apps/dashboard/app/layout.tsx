import type { Metadata, Viewport } from "next";
import type { ReactElement, ReactNode } from "react";
import "@fontsource-variable/inter";
import { TOKENS } from "../src/theme/tokens.ts";
import "./boot.css";

export const metadata: Metadata = {
  title: "OVEN",
  description: "Agent workflows: drawn as graphs, run durably, approved by people.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: TOKENS.light.background },
    { media: "(prefers-color-scheme: dark)", color: TOKENS.dark.background },
  ],
};

/** Before the app is there, so that a chosen theme does not flash in the other one. */
const EARLY_THEME = `try{var t=JSON.parse(localStorage.getItem("RaStore.theme"));if(t)document.documentElement.dataset.theme=t}catch(e){console.warn(e)}`;

export default function RootLayout({ children }: { children: ReactNode }): ReactElement {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script dangerouslySetInnerHTML={{ __html: EARLY_THEME }} />
      </head>
      <body>{children}</body>
    </html>
  );
}
