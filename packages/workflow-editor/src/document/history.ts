/** What was there before a gesture, and which gesture it was. */
interface Step<Value> {
  value: Value;
  gesture: string | null;
  label: string;
}

/**
 * Undo and redo over values that share what they have in common. One step per gesture: changes of one gesture, told by its key,
 * become one step. Bounded: the oldest steps go.
 */
export interface History<Value> {
  present: Value;
  past: readonly Step<Value>[];
  future: readonly Step<Value>[];
}

export const MAX_STEPS = 500;

export function startHistory<Value>(present: Value): History<Value> {
  return { present, past: [], future: [] };
}

/** A change. `gesture`: changes with the same key in a row are one step; null: a step of its own. */
export function commit<Value>(
  history: History<Value>,
  present: Value,
  label: string,
  gesture: string | null = null,
): History<Value> {
  if (present === history.present) return history;
  const last = history.past.at(-1);
  if (gesture !== null && last?.gesture === gesture && history.future.length === 0)
    return present === last.value
      ? { present, past: history.past.slice(0, -1), future: [] }
      : { present, past: history.past, future: [] };
  const past = [...history.past.slice(-(MAX_STEPS - 1)), { value: history.present, gesture, label }];
  return { present, past, future: [] };
}

/** Ends a gesture: the next change with the same key begins a step of its own. */
export function seal<Value>(history: History<Value>): History<Value> {
  const last = history.past.at(-1);
  if (last === undefined || last.gesture === null) return history;
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: null }] };
}

export function undo<Value>(history: History<Value>): History<Value> {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  const undone: Step<Value> = { value: history.present, gesture: null, label: last.label };
  return { present: last.value, past: history.past.slice(0, -1), future: [...history.future, undone] };
}

export function redo<Value>(history: History<Value>): History<Value> {
  const next = history.future.at(-1);
  if (next === undefined) return history;
  const done: Step<Value> = { value: history.present, gesture: null, label: next.label };
  return { present: next.value, past: [...history.past, done], future: history.future.slice(0, -1) };
}
