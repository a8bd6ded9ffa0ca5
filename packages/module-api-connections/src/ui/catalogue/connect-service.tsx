import type { CataloguedService } from "@oven/contract/api";
import { type ReactElement, useState } from "react";
import { ConnectDialog, type ConnectDialogProps } from "../connections/connect-dialog.tsx";
import { CatalogueDialog } from "./catalogue-dialog.tsx";
import { McpServiceDialog } from "./mcp-service-dialog.tsx";

/** Connects a service of the catalogue, or an API of the person's own. */
export function ConnectService({ onClose }: Pick<ConnectDialogProps, "onClose">): ReactElement {
  const [chosen, setChosen] = useState<CataloguedService | "own" | null>(null);
  const close = (): void => onClose(null, []);
  if (chosen === null) return <CatalogueDialog onChoose={setChosen} onClose={close} />;
  if (chosen === "own") return <ConnectDialog service={null} onClose={onClose} />;
  if ("serverUrl" in chosen) return <ConnectDialog service={chosen} onClose={onClose} />;
  return <McpServiceDialog service={chosen} onClose={close} />;
}
