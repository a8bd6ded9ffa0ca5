import type { ColumnType, TableToolAction } from "@oven/contract/table";
import { t } from "@oven/i18n";

/** What a type of column is called. */
export function typeWord(type: ColumnType): string {
  const words: Record<ColumnType, string> = {
    text: t("Text"),
    number: t("Number"),
    boolean: t("Yes or no"),
    date: t("Date"),
    datetime: t("Date and time"),
    choice: t("Choice"),
    json: t("JSON"),
    reference: t("Reference"),
  };
  return words[type];
}

/** What a tool can do. */
export function actionWord(action: TableToolAction): string {
  const words: Record<TableToolAction, string> = {
    find: t("Find rows"),
    insert: t("Add rows"),
    update: t("Change rows"),
    delete: t("Delete rows"),
  };
  return words[action];
}
