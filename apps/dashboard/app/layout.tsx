import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactElement, ReactNode } from "react";
import "@fontsource-variable/inter";
import { TOKENS } from "@oven/ui/theme/tokens.ts";
import { NONCE_HEADER } from "../security/page-policy.ts";
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

export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactElement> {
  // Read per request, so the page is rendered per request: a nonce that stood in a stored page would be no secret.
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: EARLY_THEME }} />
      </head>
      <body>{children}</body>
    </html>
  );
}
