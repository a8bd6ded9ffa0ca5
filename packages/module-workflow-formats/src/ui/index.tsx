import DescriptionOutlined from "@mui/icons-material/DescriptionOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";
import * as formats from "./formats.ts";

const FormatsPage = lazyPage(() => import("./formats-page.tsx"), "FormatsPage");

/** Workflows that are written in another format than graphs of states. */
export const formatsUi: UiModule = {
  resources,
  menuItems,
  icons: { "/workflow-formats": DescriptionOutlined },
  pages: [
    { path: "/workflow-formats", element: <FormatsPage /> },
    ...Object.values(formats).flatMap(({ pages }) => pages),
  ],
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
