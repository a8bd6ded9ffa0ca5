import { type ReactElement, type RefObject, useEffect, useRef, useState } from "react";
import { TemplateInput, type TemplateInputProps } from "../template-input.tsx";
import { cursorOf, type TextCursor } from "../text-cursor.ts";
import type { CelEditorProps } from "./cel-editor.tsx";

type CelEditor = (props: CelEditorProps) => ReactElement;

/** Loaded once, when the first field of its kind is shown. */
let loaded: CelEditor | undefined;

export interface CelFieldProps extends Omit<CelEditorProps, "takeOver" | "cursor"> {
  rows: number;
  cursor: RefObject<TextCursor | null>;
}

/** A CEL text. Until the editor is there, or if it cannot be loaded, a plain field that takes the same text. */
export function CelField({ rows, cursor, ...props }: CelFieldProps): ReactElement {
  const [Editor, setEditor] = useState<CelEditor | undefined>(() => loaded);
  const area = useRef<HTMLTextAreaElement>(null);
  const [takeOver, setTakeOver] = useState<{ start: number; end: number } | null>(null);
  useEffect(() => {
    if (Editor !== undefined) return;
    let isGone = false;
    import("./cel-editor.tsx").then(
      (module) => {
        loaded = module.CelEditor;
        if (isGone) return;
        const element = area.current;
        // The person who types goes on where they are.
        if (element !== null && element === document.activeElement) setTakeOver(cursorOf(element).read());
        setEditor(() => module.CelEditor);
      },
      (failure: unknown) => failure, // the plain field stays
    );
    return () => {
      isGone = true;
    };
  }, [Editor]);
  if (Editor !== undefined) return <Editor {...props} cursor={cursor} takeOver={takeOver} />;
  const plain: TemplateInputProps = { ...props, rows, language: "code" };
  return (
    <TemplateInput
      {...plain}
      input={(element) => {
        area.current = element;
        cursor.current = element === null ? null : cursorOf(element);
      }}
    />
  );
}
