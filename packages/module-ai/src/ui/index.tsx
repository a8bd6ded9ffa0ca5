import AutoAwesomeOutlined from "@mui/icons-material/AutoAwesomeOutlined";
import LibraryBooksOutlined from "@mui/icons-material/LibraryBooksOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

const AiPage = lazyPage(() => import("./ai/ai-page.tsx"), "AiPage");
const DocumentShow = lazyPage(() => import("./vector-stores/document-show.tsx"), "DocumentShow");

/** Models, budgets and usage; vector stores and their documents. */
export const aiUi: UiModule = {
  resources,
  menuItems,
  icons: { "/vector-stores": LibraryBooksOutlined, "/ai": AutoAwesomeOutlined },
  resourcePages: {
    "vector-stores": {
      list: lazyPage(() => import("./vector-stores/store-list.tsx"), "VectorStoreList"),
      edit: lazyPage(() => import("./vector-stores/store-show.tsx"), "VectorStoreShow"),
    },
  },
  pages: [
    { path: "/ai", element: <AiPage /> },
    { path: "/vector-stores/:id/documents/:documentId", element: <DocumentShow /> },
  ],
  words: {
    de: () => import("../../i18n/de.json", { with: { type: "json" } }),
    en: () => import("../../i18n/en.json", { with: { type: "json" } }),
  },
};
