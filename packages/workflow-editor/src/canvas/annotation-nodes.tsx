import { t } from "@oven/i18n";
import { type Node, type NodeProps, NodeResizer } from "@xyflow/react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Frame, Note } from "../document/operations/annotations.ts";

export type NoteNode = Node<{
  note: Note;
  onText: (text: string) => void;
  onSize: (size: { width: number; height: number }) => void;
}>;
export type FrameNode = Node<{ frame: Frame; onTitle: (title: string) => void }>;

/** Text on the canvas; a double click, or Enter, edits it. */
export function NoteCard({ data, selected }: NodeProps<NoteNode>): ReactElement {
  const { note, onText, onSize } = data;
  const [editing, setEditing] = useState(note.text === "");
  const [text, setText] = useState(note.text);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (editing) area.current?.focus();
    else setText(note.text);
  }, [editing, note.text]);
  const done = (): void => {
    setEditing(false);
    if (text !== note.text) onText(text);
  };
  return (
    <div className="oven-note" data-selected={selected}>
      <NodeResizer
        isVisible={selected === true && !editing}
        minWidth={120}
        minHeight={60}
        onResizeEnd={(_, { width, height }) => onSize({ width, height })}
      />
      {editing ? (
        <textarea
          ref={area}
          className="nodrag nowheel"
          aria-label={t("Text of the note")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={done}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape") done();
          }}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the node around it takes the keys
        <div className="oven-note__text" onDoubleClick={() => setEditing(true)}>
          {note.text || t("Empty note")}
        </div>
      )}
    </div>
  );
}

/** A named frame around its members. */
export function FrameBox({ data, selected }: NodeProps<FrameNode>): ReactElement {
  const { frame, onTitle } = data;
  const [title, setTitle] = useState(frame.title);
  useEffect(() => setTitle(frame.title), [frame.title]);
  return (
    <div className="oven-frame" data-selected={selected}>
      <input
        className="nodrag"
        aria-label={t("Name of the frame")}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => {
          if (title !== frame.title) onTitle(title);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </div>
  );
}
