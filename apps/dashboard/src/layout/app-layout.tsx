import MenuRounded from "@mui/icons-material/MenuRounded";
import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { BrandMark } from "@oven/ui/components/brand-mark.tsx";
import { ErrorBoundary } from "@oven/ui/components/error-boundary.tsx";
import { LoadingScreen } from "@oven/ui/components/loading-screen.tsx";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { type ReactElement, type ReactNode, Suspense, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { AccountPanel } from "./account-panel.tsx";
import { Navigation } from "./navigation.tsx";
import { useTopOfPage } from "./use-top-of-page.ts";

const SIDEBAR = 232;

function Brand(): ReactElement {
  return (
    <Box
      component={Link}
      to="/"
      aria-label={t("OVEN, home")}
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 1,
        borderRadius: 2,
        fontSize: 16,
        fontWeight: 750,
        letterSpacing: "0.06em",
        color: "text.primary",
        textDecoration: "none",
      }}
    >
      <BrandMark size={24} />
      OVEN
    </Box>
  );
}

/** What modules add to every page. */
function ModuleParts({ part }: { part: "header" | "bar" }): ReactElement {
  const parts = useUiModules().flatMap(({ [part]: Part }) => (Part === undefined ? [] : [Part]));
  return (
    <Suspense>
      {parts.map((Part, index) => (
        <Part key={index} />
      ))}
    </Suspense>
  );
}

function SidebarContent({ onNavigate }: { onNavigate: () => void }): ReactElement {
  return (
    <>
      <Box sx={{ display: "flex", alignItems: "center", pl: 2.25, pr: 1.25, pt: 1.5, pb: 1.25 }}>
        <Box sx={{ flex: 1 }}>
          <Brand />
        </Box>
        <Box sx={{ display: { xs: "none", md: "block" } }}>
          <ModuleParts part="header" />
        </Box>
      </Box>
      <Navigation onNavigate={onNavigate} />
      <AccountPanel onNavigate={onNavigate} />
    </>
  );
}

/** Menu at the left, a drawer on narrow screens; the page beside it. */
export function AppLayout({ children }: { children: ReactNode }): ReactElement {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  useTopOfPage(pathname);
  const close = (): void => setOpen(false);
  return (
    <Box sx={{ display: "flex", minHeight: "100dvh", bgcolor: "background.default" }}>
      <Box
        component="a"
        href="#main-content"
        sx={{
          position: "fixed",
          top: 8,
          left: 8,
          zIndex: 2000,
          px: 2,
          py: 1,
          borderRadius: 2,
          bgcolor: "background.paper",
          color: "primary.main",
          transform: "translateY(-200%)",
          "&:focus": { transform: "none" },
        }}
      >
        {t("Skip to the page")}
      </Box>
      <Box
        component="aside"
        sx={{
          display: { xs: "none", md: "flex" },
          flexDirection: "column",
          flex: "none",
          width: SIDEBAR,
          height: "100dvh",
          position: "sticky",
          top: 0,
          borderRight: 1,
          borderColor: "divider",
          bgcolor: "background.paper",
        }}
      >
        <SidebarContent onNavigate={close} />
      </Box>
      <Drawer
        open={open}
        onClose={close}
        slotProps={{ paper: { sx: { width: 264, display: "flex" } } }}
        sx={{ display: { md: "none" } }}
      >
        <SidebarContent onNavigate={close} />
      </Drawer>
      <Box sx={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}>
        <Box
          sx={{
            display: { xs: "flex", md: "none" },
            alignItems: "center",
            gap: 1,
            px: 1.5,
            height: 52,
            position: "sticky",
            top: 0,
            zIndex: 1100,
            borderBottom: 1,
            borderColor: "divider",
            bgcolor: "background.paper",
          }}
        >
          <IconButton aria-label={t("Open the menu")} aria-expanded={open} onClick={() => setOpen(true)}>
            <MenuRounded />
          </IconButton>
          <Box sx={{ flex: 1 }}>
            <Brand />
          </Box>
          <ModuleParts part="header" />
        </Box>
        <ModuleParts part="bar" />
        <Box
          component="main"
          id="main-content"
          tabIndex={-1}
          sx={{
            flex: 1,
            width: "100%",
            maxWidth: 1480,
            mx: "auto",
            px: { xs: 2, md: 4 },
            py: { xs: 2, md: 3 },
            outline: "none !important",
          }}
        >
          <ErrorBoundary resetKey={pathname}>
            <Suspense fallback={<LoadingScreen />}>{children}</Suspense>
          </ErrorBoundary>
        </Box>
      </Box>
    </Box>
  );
}
