export { checkValue, emptyValue, variantOf } from "./check-value.ts";
export { type FieldMode, isCel, isExpression, isLiteral, MODE_TITLES, modeOf, modesOf } from "./field-mode.ts";
export { foldFields } from "./fold-fields.ts";
export { isLongText, toLabel } from "./labels.ts";
export { isShortList, type Picker, pickerOf } from "./pickers.ts";
export { readNumber, readScalar, toScalarText } from "./scalar-text.ts";
export { type Field, type Shape, toFields, toShape } from "./shape.ts";
