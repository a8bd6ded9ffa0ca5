import HomeOutlined from "@mui/icons-material/HomeOutlined";
import Box from "@mui/material/Box";
import { DEFAULT_TENANT } from "@oven/contract";
import { MENU_SECTIONS, type MenuItem } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { useCanAny } from "@oven/ui/components/use-can.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import type { ComponentType, ReactElement, ReactNode } from "react";
import { useGetIdentity } from "react-admin";
import { NavLink } from "react-router-dom";

interface Entry {
  to: string;
  label: string;
  icon: ReactNode;
  count?: number | undefined;
}

interface MenuEntry extends MenuItem {
  Icon: ComponentType | undefined;
  useCount: (() => number | undefined) | undefined;
}

const HOME: MenuEntry = { section: "Start", order: 0, title: "Home", to: "/", Icon: HomeOutlined, useCount: undefined };

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

function Section({ title, children }: { title: string | null; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ mb: 2 }}>
      {title === null ? null : (
        <Box sx={{ px: 1.25, mb: 0.5, fontSize: 11.5, fontWeight: 600, color: "text.secondary" }}>{title}</Box>
      )}
      <Box component="ul" aria-label={title ?? t("Start")} sx={{ m: 0, p: 0, display: "grid", gap: 0.25 }}>
        {children}
      </Box>
    </Box>
  );
}

function NumberedLink({
  useCount,
  ...entry
}: Entry & { useCount: () => number | undefined; onNavigate: () => void }): ReactElement {
  return <NavigationLink {...entry} count={useCount()} />;
}

/** The menu: what the modules bring, for as far as the person may open it. `onNavigate` closes it where it is a drawer. */
export function Navigation({ onNavigate }: { onNavigate: () => void }): ReactElement {
  const { identity } = useGetIdentity();
  const can = useCanAny();
  const entries = useUiModules()
    .flatMap(({ menuItems, icons, counts }) =>
      menuItems.map((item) => ({ ...item, Icon: icons[item.to], useCount: counts?.[item.to] })),
    )
    .filter(({ permissions, installation }) => {
      if (installation === true && identity?.tenantId !== DEFAULT_TENANT) return false;
      return permissions === undefined || can(permissions);
    })
    .sort((a, b) => a.order - b.order);
  const bySection = Map.groupBy([HOME, ...entries], ({ section }) => section);
  return (
    <Box component="nav" aria-label={t("Main")} sx={{ px: 1.25, flex: 1, overflowY: "auto" }}>
      {MENU_SECTIONS.flatMap((section) => {
        const its = bySection.get(section);
        return its === undefined ? [] : [{ section, its }];
      }).map(({ section, its }) => (
        <Section key={section} title={section === "Start" ? null : t(section)}>
          {its.map(({ to, title, Icon, useCount }) => {
            const link = { to, label: t(title), icon: Icon === undefined ? null : <Icon />, onNavigate };
            return useCount === undefined ? (
              <NavigationLink key={to} {...link} />
            ) : (
              <NumberedLink key={to} {...link} useCount={useCount} />
            );
          })}
        </Section>
      ))}
    </Box>
  );
}
