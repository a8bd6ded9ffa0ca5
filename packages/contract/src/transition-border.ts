/** A state and what it stands in, from the inside out. */
export interface StatePosition {
  id: string;
  state: { type?: unknown };
  parent: StatePosition | undefined;
  /** The innermost loop whose body it is in. */
  loop: StatePosition | undefined;
}

/** The border a transition may not cross. */
export interface Border {
  kind: "into-loop" | "out-of-loop" | "region";
  of: StatePosition;
}

/**
 * What stands between a state and the target of one of its transitions: a loop's body is entered and left by the loop only, and
 * regions of one parallel state do not lead into each other. `source` is undefined for transitions of the definition itself.
 */
export function borderBetween(source: StatePosition | undefined, target: StatePosition): Border | undefined {
  if (target.loop !== source?.loop) {
    if (target.loop) return { kind: "into-loop", of: target.loop };
    if (source?.loop) return { kind: "out-of-loop", of: source.loop };
  }
  const region = source && crossedParallel(source, target);
  return region && { kind: "region", of: region };
}

/** The parallel state two states are in different regions of. */
function crossedParallel(source: StatePosition, target: StatePosition): StatePosition | undefined {
  const regions = new Map<StatePosition, StatePosition>();
  for (let at: StatePosition | undefined = source; at; at = at.parent)
    if (at.parent?.state.type === "parallel") regions.set(at.parent, at);
  for (let at: StatePosition | undefined = target; at; at = at.parent) {
    const own: StatePosition | undefined = at.parent && regions.get(at.parent);
    if (own && own !== at) return at.parent;
  }
  return undefined;
}
