/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
export function seeded(seed: string): () => number {
  let state = [...seed].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0, 2_166_136_261);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Some of a list, in the order of the draw. */
export function draw<Thing>(things: readonly Thing[], count: number, random: () => number): Thing[] {
  const left = [...things];
  const drawn: Thing[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}
