import type { ImportSetting } from "@oven/contract/workflow";
import { t } from "@oven/i18n";

/** What a document names but does not have, in words. */
export function settingWord(kind: ImportSetting["kind"]): string {
  return {
    credential: t("Credential"),
    model: t("Model"),
    trigger: t("Trigger"),
    configuration: t("Configuration"),
    tool: t("Tool"),
    knowledge: t("Knowledge"),
    workflow: t("Workflow"),
  }[kind];
}
