/** Lists of the server that a text can be picked from. */
export type Picker =
  | "model"
  | "tool"
  | "agent"
  | "vector-store"
  | "table"
  | "workflow"
  | "workflow-version"
  | "secret"
  | "assignee";
