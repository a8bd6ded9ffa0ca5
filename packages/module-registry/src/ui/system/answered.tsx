import Skeleton from "@mui/material/Skeleton";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { ReactElement, ReactNode } from "react";

/** What a tab shows before, instead of, or once there is an answer. */
export function Answered<Answer>({
  answer: { data, error },
  what,
  children,
}: {
  answer: { data: Answer | undefined; error: unknown };
  what: string;
  children: (data: Answer) => ReactNode;
}): ReactElement {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <ErrorPanel error={error} title={t("{{what}} could not be loaded", { what })} />;
  return <Skeleton variant="rounded" height={180} role="status" aria-label={t("Loading: {{what}}", { what })} />;
}
