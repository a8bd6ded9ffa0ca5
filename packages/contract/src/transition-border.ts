/** A state and what it stands in, from the inside out. */
export interface Standing {
  id: string;
  state: { type?: unknown };
  parent: Standing | undefined;
  /** The innermost loop whose body it is in. */
  loop: Standing | undefined;
}

/** The border a transition may not cross. */
export interface Border {
  kind: "into-loop" | "out-of-loop" | "region";
  of: Standing;
}

/**
 * What stands between a state and the target of one of its transitions: a loop's body is entered and left by the loop only, and
 * regions of one parallel state do not lead into each other. `source` is undefined for transitions of the definition itself.
 */
export function borderBetween(source: Standing | undefined, target: Standing): Border | undefined {
  if (target.loop !== source?.loop) {
    if (target.loop) return { kind: "into-loop", of: target.loop };
    if (source?.loop) return { kind: "out-of-loop", of: source.loop };
  }
  const region = source && crossedParallel(source, target);
  return region && { kind: "region", of: region };
}

/** The parallel state two states are in different regions of. */
function crossedParallel(source: Standing, target: Standing): Standing | undefined {
  const regions = new Map<Standing, Standing>();
  for (let at: Standing | undefined = source; at; at = at.parent)
    if (at.parent?.state.type === "parallel") regions.set(at.parent, at);
  for (let at: Standing | undefined = target; at; at = at.parent) {
    const own: Standing | undefined = at.parent && regions.get(at.parent);
    if (own && own !== at) return at.parent;
  }
  return undefined;
}
