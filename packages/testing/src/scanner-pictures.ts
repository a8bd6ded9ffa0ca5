import type { ScannedPage } from "./make-pdf.ts";

const WIDTH = 420;
const HEIGHT = 70;
const SIZE = { width: WIDTH, height: HEIGHT, points: { width: WIDTH, height: HEIGHT } };

/** "The whale sings." in black and white, as fax machines pack it (ITU-T T.6). */
const FAX = Buffer.from(
  "JqBoGp/////8htQQPAiCDbBAsjILhP/r9e7tRyBi6p//3/1y+IY4hnsi2RLy+IJ+QvEMryEglBfEEwuyL/4QYQPusIMIGoQMIH4QYQdBA99Qm/" +
    "6puE01VU7T1iXNzh/0Jc2jhecOjhXeXNo49I4X6dBN2gRTq09N6CbhN8U9Bi4Te9N03XdU3XpN2602k1b69Lt/9Dr9C/XdD9Xv19W773pXtXvf" +
    "Xaut69bD2+rYetVG13VUQhGhzQJqupoB4Fn7u/+wVWwwb93YYPf66/1egw9dKgw9epgGmrpdTgvRsGyr09kE77u2++7QS7YNvd3QN71//Xuu31" +
    "0m3r19f1Sv0q1dV/bkK+rpLeu5CuQYe3e+y3vf7TY437RdVtNOv20k61umGEvurC27DCTDC91YRhNhhSUfVxVVVsVD4pilStjpik9/DTv9Ooaa" +
    "d+rprXoMLXoMLcMIMF9AwqBgrxERERERERERGxHrILYR10/sJbFbWGFj////8AEAEA==",
  "base64",
);
/** The same in JPEG 2000. */
const JPEG_2000 = Buffer.from(
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAARgAAAaQAAQcHAAAAAAAPY29scgEAAAAAABEAAAKian" +
    "AyY/9P/1EAKQAAAAABpAAAAEYAAAAAAAAAAAAAAaQAAABGAAAAAAAAAAAAAQcBAf9SAAwAAAABAAUEBAAB/1wAE0BASEhQSEhQSEhQSEhQSEhQ" +
    "/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAACIQAB/5PfMbABlt/XapJd4WDY6ekKn9FQFW7BzZC503dFVb" +
    "rHxD4+AuPiDiUJG17h6tYUR137zLGV0xHdEzn7AFckmL1GLl7vPpV/QM+BePNxmi3Yr8dPxt151iCRshFPgCAHnfD5ihpGIDffckCs6RYq8+Mm" +
    "WXoUPm6dtPIQyOZhmwwHJVPCY/hnND/VjSelO98VGvhrp64AgTD8Z9cvhFIAyraSzXjIuxL+qqlngnOXEIbolTE7jg771wKL1IL5GAKgDUVE96" +
    "oj9tfdazSa5VnvkbALTFBi713w6XfPUCgX48qqOi+5w1uq2+T7dgY3S1ck2/JUuCBYvtjRdO4TG6od4+cYwtRKbW+EWu8+dKPmOwmM3PyCbba6" +
    "upQ9uEtomNYkx40+AsZJuRw/XPiZJx2AR89qrt9zq8xtRCJyj3xaTSozdu/Bq1yrvwaL8wDTDszOcewKyVKjTDZuz7JyfQy5KN1TOn6j1L/9i4" +
    "LbtiejUBeOCKJ89Qn/iQVH3rFELf3JY5mLk9uKFUg10syQ9y8m9xZ+y98M/XTiEuNhCLLZ+X4qQZycTeSRDlZNGRnVFuFN7Sd91e1/0LyoOzrT" +
    "RYfJCqx4RPRiA4WdE/TUnp1AZ6dCjSnMWpZGUOXaPTBPmwSIIHBcT9LTMxQZD1YqczKbq6E+M9pOJI6CQ1RNW5qYO5FqS88qFVoR2ZEfMFeYbT" +
    "K31/lgq4D/2Q==",
  "base64",
);

/** A page that says "The whale sings." in each of the formats that scanners write and browsers do not show. */
export const SCANNER_PICTURES: readonly ScannedPage[] = [
  { ...SIZE, picture: FAX, filter: "CCITTFaxDecode", bits: 1 },
  { ...SIZE, picture: toJbig2(FAX), filter: "JBIG2Decode", bits: 1 },
  { ...SIZE, picture: JPEG_2000, filter: "JPXDecode" },
];

/** A JBIG2 stream as PDF embeds it (ITU-T T.88): the page, and one generic region that is packed as a fax is. */
function toJbig2(fax: Uint8Array): Uint8Array {
  const pageInformation = Buffer.concat([uint32(WIDTH, HEIGHT, 0, 0), Buffer.from([0, 0, 0])]);
  const region = Buffer.concat([uint32(WIDTH, HEIGHT, 0, 0), Buffer.from([0, 1]), fax]);
  return Buffer.concat([segment(0, 0x30, pageInformation), segment(1, 0x26, region)]);
}

/** @param type 0x30: page information, 0x26: immediate generic region */
function segment(number: number, type: number, data: Uint8Array): Buffer {
  return Buffer.concat([uint32(number), Buffer.from([type, 0, 1]), uint32(data.length), data]);
}

function uint32(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}
