import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { getAt, removeAt, setAt } from "@oven/scope";
import type { Point } from "./positions.ts";

/** A note on the canvas: `meta.notes`. */
export interface Note extends Point {
  id: string;
  text: string;
  width: number;
  height: number;
}

/** A named frame around states of one container: `meta.frames`. It is as large as they need it. */
export interface Frame {
  id: string;
  title: string;
  members: readonly string[];
}

const NOTES = ["meta", "notes"] as const;
const FRAMES = ["meta", "frames"] as const;

function listAt(document: JsonObject, address: readonly string[]): JsonObject[] {
  const value = getAt(document, address);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const toNumber = (value: Json | undefined, otherwise: number): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;

export function readNotes(document: JsonObject): Note[] {
  return listAt(document, NOTES).map(({ id, text, x, y, width, height }) => ({
    id: toText(id),
    text: toText(text),
    x: toNumber(x, 0),
    y: toNumber(y, 0),
    width: toNumber(width, 220),
    height: toNumber(height, 110),
  }));
}

export function readFrames(document: JsonObject): Frame[] {
  return listAt(document, FRAMES).map(({ id, title, members }) => ({
    id: toText(id),
    title: toText(title),
    members: Array.isArray(members) ? members.filter((member) => typeof member === "string") : [],
  }));
}

/** Replaces a list; without entries it goes, and `meta` with it when nothing else is in it. */
function writeList(document: JsonObject, address: readonly string[], list: readonly JsonObject[]): JsonObject {
  if (list.length > 0) return setAt(document, address, [...list]);
  const removed = removeAt(document, address);
  return isObject(removed.meta) && Object.keys(removed.meta).length === 0 ? removeAt(removed, ["meta"]) : removed;
}

function freeId(prefix: string, taken: readonly { id: string }[]): string {
  for (let count = taken.length + 1; ; count += 1)
    if (!taken.some(({ id }) => id === `${prefix}${count}`)) return `${prefix}${count}`;
}

export function addNote(document: JsonObject, at: Point, text = ""): { document: JsonObject; id: string } {
  const id = freeId("note", readNotes(document));
  const note = { id, text, x: Math.round(at.x), y: Math.round(at.y), width: 220, height: 110 };
  return { document: setAt(document, NOTES, [...listAt(document, NOTES), note]), id };
}

/** Changes parts of a note; what else stands in it is kept. */
export function changeNote(document: JsonObject, id: string, change: Partial<Omit<Note, "id">>): JsonObject {
  return writeList(
    document,
    NOTES,
    listAt(document, NOTES).map((note) => (note.id === id ? { ...note, ...change } : note)),
  );
}

export function removeNotes(document: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const notes = listAt(document, NOTES);
  const left = notes.filter((note) => !ids.has(toText(note.id)));
  return left.length === notes.length ? document : writeList(document, NOTES, left);
}

export function addFrame(
  document: JsonObject,
  members: readonly string[],
  title = "Group",
): { document: JsonObject; id: string } {
  const id = freeId("frame", readFrames(document));
  const frames = listAt(withoutMembers(document, new Set(members)), FRAMES);
  return { document: writeList(document, FRAMES, [...frames, { id, title, members: [...members] }]), id };
}

export function changeFrame(document: JsonObject, id: string, change: { title: string }): JsonObject {
  return writeList(
    document,
    FRAMES,
    listAt(document, FRAMES).map((frame) => (frame.id === id ? { ...frame, ...change } : frame)),
  );
}

export function removeFrames(document: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const frames = listAt(document, FRAMES);
  const left = frames.filter((frame) => !ids.has(toText(frame.id)));
  return left.length === frames.length ? document : writeList(document, FRAMES, left);
}

/** States that are gone, or went into another frame; a frame without members goes. */
export function withoutMembers(document: JsonObject, gone: ReadonlySet<string>): JsonObject {
  const frames = listAt(document, FRAMES);
  if (!readFrames(document).some(({ members }) => members.some((member) => gone.has(member)))) return document;
  const left = frames.flatMap((frame) => {
    const members = Array.isArray(frame.members) ? frame.members : [];
    const kept = members.filter((member) => typeof member !== "string" || !gone.has(member));
    return kept.length === 0 ? [] : [{ ...frame, members: kept }];
  });
  return writeList(document, FRAMES, left);
}

export function renameMember(document: JsonObject, from: string, to: string): JsonObject {
  const frames = listAt(document, FRAMES);
  if (!readFrames(document).some(({ members }) => members.includes(from))) return document;
  return writeList(
    document,
    FRAMES,
    frames.map((frame) => ({
      ...frame,
      members: (Array.isArray(frame.members) ? frame.members : []).map((member) => (member === from ? to : member)),
    })),
  );
}
