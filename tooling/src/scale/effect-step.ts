import { defineModule } from "../../../packages/module-registry/src/index.ts";
import { transformNode } from "../../../packages/module-workflows/src/nodes/transform.node.ts";

/** What core.transform does, as a call to the outside: it waits for what led to it to be written. */
export const EFFECT_STEP = "measure.step";

export const effectStepModule = defineModule({
  name: "module-measure",
  namespace: "measure",
  description: "A step with an effect, for measurements.",
  dependencies: [],
  nodes: [{ ...transformNode, id: EFFECT_STEP, effect: "at-least-once", isLocal: false }],
});
