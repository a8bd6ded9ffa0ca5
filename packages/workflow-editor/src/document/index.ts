export { EditorStore } from "../editor/editor-store.ts";
export type { TypedChange } from "../editor/pending-text.ts";
export { nodeAtPath } from "../editor/problem-marks.ts";
export { type Address, getAt, removeAt, setAt, toPath } from "./address.ts";
export { targetsFrom } from "./can-connect.ts";
export { countReferences } from "./count-references.ts";
export { renameState } from "./operations/rename-state.ts";
export { findState, type StatePlace } from "./states.ts";
