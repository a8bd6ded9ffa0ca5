/** What tools of the builder begin with: `build.change_steps`. */
export const TOOL_NAMESPACE = "build";

/** Tools of the platform's MCP server that the builder has as they are: they read. */
export const READING_TOOLS = [
  "definition_guide",
  "find_node_types",
  "describe_node_type",
  "list_tools",
  "describe_tool",
  "list_resources",
  "explain_error",
  "list_agent_workflows",
  "get_agent_workflow",
  "read_steps",
  "validate_definition",
  "compare_agent_workflow",
  "list_runs",
  "get_run",
] as const;

/** Tools of the platform's MCP server that the builder has for the workflow of its run alone. */
export const BOUND_TOOLS = ["change_steps", "set_test_data", "test_agent_workflow", "try_on_past_runs"] as const;

/** Members of their arguments that the builder may not set: models and services would be called. */
export const WITHHELD: Readonly<Record<string, readonly string[]>> = {
  test_agent_workflow: ["dry_run"],
  try_on_past_runs: ["live_max_cost_micros"],
};
