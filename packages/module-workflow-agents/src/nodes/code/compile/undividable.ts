/** A part of a program that cannot be divided: it stays a program. */
export class Undividable extends Error {}
