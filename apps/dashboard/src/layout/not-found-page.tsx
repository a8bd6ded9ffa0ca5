import TravelExploreRounded from "@mui/icons-material/TravelExploreRounded";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import type { ReactElement } from "react";
import { Link, useLocation } from "react-router-dom";

export function NotFoundPage(): ReactElement {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={t("Page not found")} />
      <Panel>
        <EmptyState
          icon={<TravelExploreRounded />}
          title={t("There is nothing at {{pathname}}", { pathname })}
          text={t("The address may be mistyped, or belong to a page that has gone.")}
          action={
            <Button variant="contained" component={Link} to="/">
              {t("Go to Home")}
            </Button>
          }
        />
      </Panel>
    </>
  );
}
