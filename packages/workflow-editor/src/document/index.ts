export { EditorStore } from "../editor/editor-store.ts";
export { nodeAtPath } from "../editor/problem-marks.ts";
export { getAt, removeAt, setAt } from "./address.ts";
export { renameState } from "./operations/rename-state.ts";
export { findState } from "./states.ts";
