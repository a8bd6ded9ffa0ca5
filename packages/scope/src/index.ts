export { type Address, getAt, objectAt, removeAt, sameAddress, setAt, toPath, withKey } from "./address.ts";
export { type ChoicesPlace, choicesAt } from "./choices.ts";
export { type PointlessComparison, pointlessComparison } from "./comparison.ts";
export { isOneAlwaysThere, type Moments, presenceOf, type Trace, tracesBefore, wayWithout } from "./flow.ts";
export { type Followed, followPath, type ReadPath, readPath } from "./paths.ts";
export { readsAction } from "./reads-action.ts";
export { type RootUse, replaceRootPaths, replaceRoots, rootsInCel, rootsInText } from "./roots-in-text.ts";
export { type After, CONFIG, type Origin, type ScopeOptions, type ScopeRoot, scopeAt } from "./scope.ts";
export {
  childrenAddress,
  childrenOf,
  familyOf,
  findState,
  indexStates,
  initialAddress,
  isContainer,
  isInside,
  isLoop,
  isParallel,
  outermost,
  type StateIndex,
  type StatePlace,
} from "./states.ts";
export {
  listTransitions,
  ownTransitions,
  type Slot,
  slotAddress,
  type TransitionPlace,
  transitionsOf,
  WORKFLOW,
} from "./transitions.ts";
export { type CalledKind, OutputTypes, schemaOfValue, TYPE_FROM, type TypeSource } from "./types.ts";
export { variablesOf } from "./variables-of.ts";
