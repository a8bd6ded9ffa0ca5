/** Bytes from outside as text. A door of its own: the decoders' tables are loaded by who needs them. */
export {
  type DecodedText,
  type DecodeOptions,
  declaredCharset,
  decodeText,
  isTextType,
  mediaTypeOf,
} from "../text/decode-text.ts";
