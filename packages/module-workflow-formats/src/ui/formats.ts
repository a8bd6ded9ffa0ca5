/** Every workflow format that has pages of its own. Nothing else outside a format's folder names its files. */
export { linearPages } from "./formats/linear/index.tsx";
export { sessionPages } from "./formats/sessions/index.tsx";
