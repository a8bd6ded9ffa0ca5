/**
 * Every workflow format, in the order in which they are shown. `import()` makes it one line for each; nothing else outside a
 * format's folder names its files.
 */
export const FORMATS = (
  await Promise.all([
    import("./formats/linear/index.ts"),
    import("./formats/chains/index.ts"),
    import("./formats/sessions/index.ts"),
    import("./formats/routed/index.ts"),
  ])
).map(({ createFormat }) => createFormat);
