export { type EmbedAddress, EmbedConnection } from "./embed-connection.ts";
export { EmbedError, type EmbedSource } from "./embed-source.ts";
export { type MountOptions, mountEmbed } from "./mount-embed.ts";
