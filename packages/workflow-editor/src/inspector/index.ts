export { searchPalette, toPalette } from "../document/new-states.ts";
export { afterOf, moveUp, type Outlet, outletsOf, writeBranches } from "./branches.ts";
export { type CelCompletion, completeCel } from "./cel-completions.ts";
export { checkValue, emptyValue, variantOf } from "./check-value.ts";
export { type FieldMode, isCel, isExpression, isLiteral, MODE_TITLES, modeOf, modesOf } from "./field-mode.ts";
export { foldFields } from "./fold-fields.ts";
export {
  FIRST_GUARD,
  GUARD_KINDS,
  type GuardKind,
  isFirstGuard,
  isGuardForm,
  isGuardShape,
  withGuardKind,
} from "./guard-kinds.ts";
export { judgeBranches, type Verdict } from "./judge-branches.ts";
export { isShortList, pickerOf } from "./pickers.ts";
export { readFree, readNumber, readScalar, toScalarText } from "./scalar-text.ts";
export {
  freeName,
  kindOf,
  type LimitKey,
  limitsOf,
  propertiesOf,
  restOf,
  SCHEMA_KINDS,
  type SchemaKind,
  type SchemaProperty,
  withKeyword,
  withKind,
  withProperties,
  withRest,
} from "./schema-builder.ts";
export { type Field, type Shape, toFields, toShape } from "./shape.ts";
export { toVariableType, VARIABLE_TYPES, type VariableType, variableTypeOf } from "./variable-types.ts";
export { type After, toCelText, type Variable, type VariableOptions, valueIn, variablesAt } from "./variables.ts";
