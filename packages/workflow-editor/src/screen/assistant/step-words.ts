import { isObject, type Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ToolStep } from "../../conversation/tool-steps.ts";

/** What the assistant does with a tool, by the name of the tool. */
function titles(): Readonly<Record<string, string>> {
  return {
    definition_guide: t("Reads the guide"),
    find_node_types: t("Looks for node types"),
    describe_node_type: t("Reads about a node type"),
    list_tools: t("Looks for tools"),
    describe_tool: t("Reads about a tool"),
    list_resources: t("Looks for what steps can use"),
    explain_error: t("Looks up an error"),
    list_agent_workflows: t("Looks for workflows"),
    get_agent_workflow: t("Reads the workflow"),
    read_steps: t("Reads steps"),
    change_steps: t("Changes steps"),
    update_agent_workflow: t("Changes the draft"),
    validate_definition: t("Checks the definition"),
    compare_agent_workflow: t("Compares the draft with what is live"),
    set_test_data: t("Writes test data"),
    try_on_past_runs: t("Tries the draft on past runs"),
    test_agent_workflow: t("Tries the draft"),
    list_runs: t("Looks for runs"),
    get_run: t("Reads a run"),
    check_draft: t("Runs the test cases"),
    ask_person: t("Asks you"),
  };
}

/** A call in plain words, and what it is about; an unknown tool is called by its name. */
export function toStepWords({ tool, arguments: given }: Pick<ToolStep, "tool" | "arguments">): {
  title: string;
  detail: string;
} {
  const name = tool.slice(tool.lastIndexOf(".") + 1);
  const words = titles();
  return { title: Object.hasOwn(words, name) ? (words[name] ?? tool) : tool, detail: toDetail(name, given) };
}

function toDetail(name: string, given: Json): string {
  if (!isObject(given)) return "";
  if (name === "change_steps") {
    const { put, remove, rename } = given;
    const removed = Array.isArray(remove) ? remove : [];
    return [...keysOf(put), ...removed, ...keysOf(rename)].map(String).join(", ");
  }
  if (name === "read_steps" && Array.isArray(given.steps)) return given.steps.map(String).join(", ");
  if (name === "check_draft" && Array.isArray(given.cases))
    return given.cases.flatMap((one) => (isObject(one) && typeof one.name === "string" ? [one.name] : [])).join(", ");
  const named = ["query", "words", "type", "name", "code", "tool", "question"].map((key) => given[key]);
  return String(named.find((value) => typeof value === "string") ?? "");
}

function keysOf(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value) : [];
}
