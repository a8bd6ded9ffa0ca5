import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import HomeOutlined from "@mui/icons-material/HomeOutlined";
import SettingsOutlined from "@mui/icons-material/SettingsOutlined";
import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Collapse from "@mui/material/Collapse";
import { DEFAULT_TENANT } from "@oven/contract";
import { MENU_SECTIONS, type MenuItem } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { useCanAny } from "@oven/ui/components/use-can.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { type ComponentType, type ReactElement, type ReactNode, useEffect, useId } from "react";
import { useGetIdentity, useStore } from "react-admin";
import { matchPath, NavLink, useLocation } from "react-router-dom";

interface Entry {
  to: string;
  label: string;
  icon: ReactNode;
  count?: number | undefined;
  /** Marked as the current page although its path is another. */
  isCurrent: boolean;
}

interface MenuEntry extends MenuItem {
  Icon: ComponentType | undefined;
  useCount: (() => number | undefined) | undefined;
}

const HOME: MenuEntry = { section: "Start", order: 0, title: "Home", to: "/", Icon: HomeOutlined, useCount: undefined };

function NavigationLink({
  to,
  label,
  icon,
  count,
  isCurrent,
  onNavigate,
}: Entry & { onNavigate: () => void }): ReactElement {
  return (
    <Box component="li" sx={{ listStyle: "none" }}>
      <Box
        component={NavLink}
        to={to}
        end={to === "/"}
        // The link adds the same class by itself where its own path is the current one.
        className={isCurrent ? "active" : ""}
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

function Entries({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, display: "grid", gap: 0.25 }}>
      {children}
    </Box>
  );
}

function Section({ title, children }: { title: string | null; children: ReactNode }): ReactElement {
  return (
    <Box sx={{ mb: 2 }}>
      {title === null ? null : (
        <Box sx={{ px: 1.25, mb: 0.5, fontSize: 11.5, fontWeight: 600, color: "text.secondary" }}>{title}</Box>
      )}
      <Entries label={title ?? t("Start")}>{children}</Entries>
    </Box>
  );
}

/** Folded until it is opened or one of its pages is: these are the pages for what is set up once. */
function FoldedSection({
  title,
  hasCurrent,
  children,
}: {
  title: string;
  hasCurrent: boolean;
  children: ReactNode;
}): ReactElement {
  const [isOpen, setOpen] = useStore("menu.settings", false);
  const id = useId();
  useEffect(() => {
    if (hasCurrent) setOpen(true);
  }, [hasCurrent, setOpen]);
  return (
    <Box sx={{ mb: 2 }}>
      <ButtonBase
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        sx={{
          width: "100%",
          justifyContent: "space-between",
          px: 1.25,
          minHeight: 36,
          borderRadius: 2,
          fontFamily: "inherit",
          fontSize: 13.5,
          fontWeight: 550,
          color: "text.secondary",
          "&:hover": { bgcolor: "action.hover", color: "text.primary" },
        }}
      >
        <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 1.25, "& svg": { fontSize: 19 } }}>
          <SettingsOutlined />
          {title}
        </Box>
        <ExpandMoreRounded
          sx={{ fontSize: 18, transform: isOpen ? "none" : "rotate(-90deg)", transition: "transform 120ms" }}
        />
      </ButtonBase>
      <Collapse in={isOpen} id={id} timeout={120} unmountOnExit>
        <Entries label={title}>{children}</Entries>
      </Collapse>
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
  const { pathname } = useLocation();
  const isAt = (paths: readonly string[]): boolean =>
    paths.some((path) => matchPath({ path, end: false }, pathname) !== null);
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
      }).map(({ section, its }) => {
        const links = its.map(({ to, also = [], title, Icon, useCount }) => {
          const icon = Icon === undefined ? null : <Icon />;
          const link = { to, label: t(title), icon, isCurrent: isAt(also), onNavigate };
          return useCount === undefined ? (
            <NavigationLink key={to} {...link} />
          ) : (
            <NumberedLink key={to} {...link} useCount={useCount} />
          );
        });
        if (section !== "Settings")
          return (
            <Section key={section} title={section === "Start" ? null : t(section)}>
              {links}
            </Section>
          );
        return (
          <FoldedSection key={section} title={t(section)} hasCurrent={isAt(its.map(({ to }) => to))}>
            {links}
          </FoldedSection>
        );
      })}
    </Box>
  );
}
