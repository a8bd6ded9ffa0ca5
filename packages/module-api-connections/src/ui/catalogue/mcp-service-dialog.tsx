import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { CataloguedService, ProposedMcpServer } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { useNavigate } from "react-router-dom";
import { ServiceSteps } from "./service-steps.tsx";
import { textsOf } from "./service-texts.ts";

type McpService = Extract<CataloguedService, { source: { type: "mcp" } }>;

/** A service that has an MCP server: it is connected at the page of those. */
export function McpServiceDialog({ service, onClose }: { service: McpService; onClose: () => void }): ReactElement {
  const { slug, name, source } = service;
  const mayConnect = useCan("mcp-connections.create");
  const navigate = useNavigate();
  const proposed: ProposedMcpServer = { name: slug, title: name, url: source.url, auth: source.auth };
  return (
    <FormDialog
      title={t("Connect {{service}}", { service: name })}
      submitLabel={t("Go on with its MCP server")}
      failureTitle={t("That did not work")}
      usable={mayConnect}
      onSubmit={async () => navigate("/mcp-connections", { state: { proposed } })}
      onClose={onClose}
    >
      <Box>
        {textsOf(service).description}
        <Box sx={{ mt: 0.5, fontFamily: MONOSPACE, fontSize: 12.5, color: "text.secondary", overflowWrap: "anywhere" }}>
          {source.url}
        </Box>
      </Box>
      <ServiceSteps service={service} />
      {mayConnect ? null : <Alert severity="warning">{t("You may not connect MCP servers.")}</Alert>}
    </FormDialog>
  );
}
