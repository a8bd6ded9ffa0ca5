export { moveUp, type Outlet, outletsOf, writeBranches } from "./branches.ts";
export { checkValue, emptyValue, variantOf } from "./check-value.ts";
export { type FieldMode, isCel, isExpression, isLiteral, MODE_TITLES, modeOf, modesOf } from "./field-mode.ts";
export { foldFields } from "./fold-fields.ts";
export { isLongText, toLabel } from "./labels.ts";
export { isShortList, type Picker, pickerOf } from "./pickers.ts";
export { readFree, readNumber, readScalar, toScalarText } from "./scalar-text.ts";
export { type Field, type Shape, toFields, toShape } from "./shape.ts";
export { toCelText, type Variable, valueIn, variablesAt } from "./variables.ts";
