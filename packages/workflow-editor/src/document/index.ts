export { type Address, findState, getAt, removeAt, type StatePlace, setAt, toPath } from "@oven/scope";
export { EditorStore } from "../editor/editor-store.ts";
export type { TypedChange } from "../editor/pending-text.ts";
export { nodeAtPath } from "../editor/problem-marks.ts";
export { targetsFrom } from "./can-connect.ts";
export { countReferences } from "./count-references.ts";
export { renameState } from "./operations/rename-state.ts";
