import type { LinearStepType } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";

export const STEP_PATHS: Record<LinearStepType, string> = {
  custom_llm: "linear-llm-steps",
  custom_agent: "linear-agent-steps",
  stop_checker: "linear-checker-steps",
};

export const STEP_TITLES: Record<LinearStepType, string> = {
  custom_llm: t("LLM step"),
  custom_agent: t("Agent step"),
  stop_checker: t("Stop checker"),
};
