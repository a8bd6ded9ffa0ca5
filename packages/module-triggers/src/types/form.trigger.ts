import { defineTrigger } from "@oven/module-registry";
import { FormConfigSchema } from "../forms/form-config.ts";

export const formTrigger = defineTrigger({
  id: "form",
  title: "Form",
  docs: "A page at /forms/[token] that asks for what the workflow's payload schema describes. What was filled in arrives.",
  config: FormConfigSchema,
  sample: {},
  hasToken: true,
});
