import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import ApartmentOutlined from "@mui/icons-material/ApartmentOutlined";
import AppsOutlined from "@mui/icons-material/AppsOutlined";
import AutoAwesomeOutlined from "@mui/icons-material/AutoAwesomeOutlined";
import BadgeOutlined from "@mui/icons-material/BadgeOutlined";
import BoltOutlined from "@mui/icons-material/BoltOutlined";
import BuildOutlined from "@mui/icons-material/BuildOutlined";
import CableOutlined from "@mui/icons-material/CableOutlined";
import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import DescriptionOutlined from "@mui/icons-material/DescriptionOutlined";
import DnsOutlined from "@mui/icons-material/DnsOutlined";
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import ForumOutlined from "@mui/icons-material/ForumOutlined";
import GroupOutlined from "@mui/icons-material/GroupOutlined";
import HistoryRounded from "@mui/icons-material/HistoryRounded";
import HomeOutlined from "@mui/icons-material/HomeOutlined";
import HubOutlined from "@mui/icons-material/HubOutlined";
import KeyOutlined from "@mui/icons-material/KeyOutlined";
import LibraryBooksOutlined from "@mui/icons-material/LibraryBooksOutlined";
import LockOutlined from "@mui/icons-material/LockOutlined";
import PlayCircleOutlineRounded from "@mui/icons-material/PlayCircleOutlineRounded";
import PsychologyOutlined from "@mui/icons-material/PsychologyOutlined";
import SchemaOutlined from "@mui/icons-material/SchemaOutlined";
import SensorsRounded from "@mui/icons-material/SensorsRounded";
import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import Box from "@mui/material/Box";
import { DEFAULT_TENANT } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement, ReactNode } from "react";
import { useGetIdentity, useGetList } from "react-admin";
import { NavLink } from "react-router-dom";
import { useCan } from "../components/use-can.ts";

interface Entry {
  to: string;
  label: string;
  icon: ReactNode;
  count?: number | undefined;
}

const OPEN_REVIEWS = {
  filter: { status: "open" },
  pagination: { page: 1, perPage: 1 },
  sort: { field: "id", order: "ASC" as const },
};

function NavigationLink({ to, label, icon, count, onNavigate }: Entry & { onNavigate: () => void }): ReactElement {
  return (
    <Box component="li" sx={{ listStyle: "none" }}>
      <Box
        component={NavLink}
        to={to}
        end={to === "/"}
        onClick={onNavigate}
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1.25,
          px: 1.25,
          minHeight: 36,
          borderRadius: 2,
          fontSize: 13.5,
          fontWeight: 550,
          color: "text.secondary",
          textDecoration: "none",
          "& svg": { fontSize: 19 },
          "&:hover": { bgcolor: "action.hover", color: "text.primary" },
          "&.active": { bgcolor: "action.selected", color: "primary.main" },
        }}
      >
        {icon}
        <Box component="span" sx={{ flex: 1 }}>
          {label}
        </Box>
        {count === undefined || count === 0 ? null : (
          <Box
            component="span"
            aria-label={t("{{number}} open", { number: count })}
            sx={{
              px: 0.75,
              minWidth: 20,
              textAlign: "center",
              borderRadius: 5,
              fontSize: 11.5,
              fontWeight: 700,
              lineHeight: "19px",
              color: "var(--oven-status-paused)",
              bgcolor: "var(--oven-status-paused-soft)",
            }}
          >
            {count}
          </Box>
        )}
      </Box>
    </Box>
  );
}

function Section({
  title,
  entries,
  onNavigate,
}: {
  title: string | null;
  entries: Entry[];
  onNavigate: () => void;
}): ReactElement {
  return (
    <Box sx={{ mb: 2 }}>
      {title === null ? null : (
        <Box sx={{ px: 1.25, mb: 0.5, fontSize: 11.5, fontWeight: 600, color: "text.secondary" }}>{title}</Box>
      )}
      <Box component="ul" aria-label={title ?? t("Start")} sx={{ m: 0, p: 0, display: "grid", gap: 0.25 }}>
        {entries.map((entry) => (
          <NavigationLink key={entry.to} {...entry} onNavigate={onNavigate} />
        ))}
      </Box>
    </Box>
  );
}

/** Only what the person may open: most people never manage others. */
function useAccessEntries(): Entry[] {
  const { identity } = useGetIdentity();
  const may = {
    users: useCan("users.read"),
    tenants: useCan("tenants.read"),
    roles: useCan("roles.read"),
    keys: useCan("api-keys.read"),
    secrets: useCan("secrets.update"),
    audit: useCan("audit.read"),
    rules: useCan("notification-rules.read"),
    events: useCan("events.read"),
    system: useCan("installation.read"),
  };
  return [
    ...(may.users ? [{ to: "/users", label: t("Users"), icon: <GroupOutlined /> }] : []),
    ...(may.tenants && identity?.tenantId === DEFAULT_TENANT
      ? [{ to: "/tenants", label: t("Tenants"), icon: <ApartmentOutlined /> }]
      : []),
    ...(may.roles ? [{ to: "/roles", label: t("Roles"), icon: <BadgeOutlined /> }] : []),
    ...(may.keys ? [{ to: "/api-keys", label: t("API keys"), icon: <KeyOutlined /> }] : []),
    ...(may.secrets ? [{ to: "/secrets", label: t("Secrets"), icon: <LockOutlined /> }] : []),
    ...(may.users ? [{ to: "/connected-apps", label: t("Connected apps"), icon: <AppsOutlined /> }] : []),
    ...(may.audit ? [{ to: "/audit-log", label: t("Audit log"), icon: <HistoryRounded /> }] : []),
    ...(may.rules ? [{ to: "/notification-rules", label: t("Notification rules"), icon: <CampaignOutlined /> }] : []),
    ...(may.events ? [{ to: "/events", label: t("Events"), icon: <SensorsRounded /> }] : []),
    ...(may.system ? [{ to: "/system", label: t("System"), icon: <DnsOutlined /> }] : []),
  ];
}

/** The menu. `onNavigate` closes it where it is a drawer. */
export function Navigation({ onNavigate }: { onNavigate: () => void }): ReactElement {
  const { total } = useGetList("reviews", OPEN_REVIEWS, { refetchInterval: 15_000 });
  const access = useAccessEntries();
  const maySeeAgents = useCan("agents.read");
  const mayChat = useCan("chats.use");
  const maySeeModels = [useCan("ai-usage.read"), useCan("ai-budgets.read"), useCan("ai-providers.read")].includes(true);
  const maySeeMemory = useCan("agent-memory.read");
  const maySeeConnections = useCan("mcp-connections.read");
  const maySeeTools = useCan("tools.read");
  const maySeeStores = useCan("vector-stores.read");
  const maySeeTriggers = useCan("triggers.read");
  const maySeeWorkflows = useCan("workflows.read");
  const maySeeFormats = useCan("workflow-formats.read");
  return (
    <Box component="nav" aria-label={t("Main")} sx={{ px: 1.25, flex: 1, overflowY: "auto" }}>
      <Section
        title={null}
        onNavigate={onNavigate}
        entries={[
          { to: "/", label: t("Home"), icon: <HomeOutlined /> },
          { to: "/reviews", label: t("Reviews"), icon: <FactCheckOutlined />, count: total },
          ...(mayChat ? [{ to: "/chat", label: t("Chat"), icon: <ForumOutlined /> }] : []),
        ]}
      />
      <Section
        title={t("Agent Workflows")}
        onNavigate={onNavigate}
        entries={[
          { to: "/agent-workflows", label: t("Agent Workflows"), icon: <AccountTreeOutlined /> },
          { to: "/agent-workflow-executions", label: t("Executions"), icon: <PlayCircleOutlineRounded /> },
          ...(maySeeMemory ? [{ to: "/agent-memory", label: t("Memory"), icon: <PsychologyOutlined /> }] : []),
          { to: "/mcp-servers", label: t("MCP Servers"), icon: <CableOutlined /> },
          ...(maySeeConnections
            ? [{ to: "/mcp-connections", label: t("Connected MCP servers"), icon: <HubOutlined /> }]
            : []),
          ...(maySeeAgents ? [{ to: "/agents", label: t("Agents"), icon: <SmartToyOutlined /> }] : []),
          ...(maySeeStores
            ? [{ to: "/vector-stores", label: t("Vector stores"), icon: <LibraryBooksOutlined /> }]
            : []),
          ...(maySeeTools ? [{ to: "/tools", label: t("Tools"), icon: <BuildOutlined /> }] : []),
          ...(maySeeTriggers ? [{ to: "/triggers", label: t("Triggers & schedules"), icon: <BoltOutlined /> }] : []),
          ...(maySeeFormats
            ? [{ to: "/workflow-formats", label: t("Workflow formats"), icon: <DescriptionOutlined /> }]
            : []),
          ...(maySeeModels ? [{ to: "/ai", label: t("AI"), icon: <AutoAwesomeOutlined /> }] : []),
        ]}
      />
      {maySeeWorkflows ? (
        <Section
          title={t("Workflows")}
          onNavigate={onNavigate}
          entries={[
            { to: "/workflows", label: t("Workflows"), icon: <SchemaOutlined /> },
            { to: "/workflow-executions", label: t("Executions"), icon: <PlayCircleOutlineRounded /> },
          ]}
        />
      ) : null}
      {access.length === 0 ? null : <Section title={t("Access")} onNavigate={onNavigate} entries={access} />}
    </Box>
  );
}
