import { Fragment, type ReactElement } from "react";

/** A sentence whose parts between backticks are code. */
export function HelpText({ text }: { text: string }): ReactElement {
  return (
    <>
      {text
        .split("`")
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
        )}
    </>
  );
}
