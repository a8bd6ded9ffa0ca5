import type { UiPage } from "@oven/ui/ui-module.ts";
import type { ComponentType } from "react";

/** What a workflow format has in the dashboard beside the list of its documents. Its `index.tsx` is loaded before the language is. */
export interface FormatPages {
  /** Id of the format, as the server lists it. */
  format: string;
  pages: readonly UiPage[];
  /** The link from a document to its page. */
  link: { title(): string; to(documentId: string): string };
  /** Absent: its documents are imported or made through the API. */
  create?: {
    permission: string;
    /** What stands in place of an empty list. */
    hint(): string;
    Dialog: ComponentType<{ onClose: () => void }>;
  };
}
