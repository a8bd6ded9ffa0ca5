"use client";

// First: schemas are made when the modules below are loaded.
import "@oven/ui/without-eval.ts";
import { CacheProvider } from "@emotion/react";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { styleCache } from "@oven/ui/theme/style-cache.ts";
import { lazyPage, UiModulesContext } from "@oven/ui/ui-module.ts";
import type { ReactElement } from "react";
import { CustomRoutes, Resource } from "react-admin";
import { BrowserRouter, Route } from "react-router-dom";
import { ConnectPage } from "./access/connect-page.tsx";
import { InvitationPage } from "./access/invitation-page.tsx";
import { SetupPage } from "./access/setup-page.tsx";
import { createFrameWords } from "./i18n/frame-words.ts";
import { AdminFrame } from "./layout/admin-frame.tsx";
import { createAuthProvider, SECOND_FACTOR_PAGE } from "./providers/auth-provider.ts";
import { createDataProvider } from "./providers/data-provider.ts";
import { SessionKeeper } from "./providers/session.ts";
import { uiModules } from "./ui-modules.ts";

const SecondFactorPage = lazyPage(() => import("./access/second-factor-page.tsx"), "SecondFactorPage");

const dataProvider = createDataProvider(api);
const frameWords = createFrameWords();
const authProvider = createAuthProvider(api, new SessionKeeper(api));

const pages = uiModules.flatMap((module) => module.pages ?? []);
const fullPages = uiModules.flatMap((module) => module.fullPages ?? []);
const resources = uiModules.flatMap(({ resources, resourcePages = {} }) =>
  resources.flatMap(({ name, title }) => {
    const its = resourcePages[name];
    return its === undefined ? [] : [{ name, options: { label: t(title) }, ...its }];
  }),
);

/** The whole dashboard. It runs in the browser only; real URLs, no hash. */
export function DashboardApp(): ReactElement {
  return (
    <CacheProvider value={styleCache}>
      <UiModulesContext value={uiModules}>
        <BrowserRouter>
          <AdminFrame dataProvider={dataProvider} authProvider={authProvider} i18nProvider={frameWords}>
            <CustomRoutes noLayout>
              <Route path="/setup" element={<SetupPage />} />
              <Route path="/invitation" element={<InvitationPage />} />
              <Route path="/connect" element={<ConnectPage />} />
              <Route path={SECOND_FACTOR_PAGE} element={<SecondFactorPage />} />
              {fullPages.map(({ path, element }) => (
                <Route key={path} path={path} element={element} />
              ))}
            </CustomRoutes>
            {resources.map((resource) => (
              <Resource key={resource.name} {...resource} />
            ))}
            <CustomRoutes>
              {pages.map(({ path, element }) => (
                <Route key={path} path={path} element={element} />
              ))}
            </CustomRoutes>
          </AdminFrame>
        </BrowserRouter>
      </UiModulesContext>
    </CacheProvider>
  );
}
