/**
 * What modules offer each other in-process. A module adds its own face by declaration merging:
 * `declare module "@oven/module-registry" { interface ServiceMap { ai: AiService } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules merge their services into it
export interface ServiceMap {}
