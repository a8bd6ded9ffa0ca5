import type { Metadata } from "next";
import type { ReactElement } from "react";
import { FormLoader } from "./form-loader.tsx";

/** Its address is a secret of those who were given it. */
export const metadata: Metadata = { title: "Form", robots: { index: false, follow: false, nocache: true } };

export default async function Page({ params }: { params: Promise<{ token: string }> }): Promise<ReactElement> {
  const { token } = await params;
  return <FormLoader token={token} />;
}
