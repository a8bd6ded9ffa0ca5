/**
 * A program that is written at random: assignments, calls, conditions, loops, exceptions, lists, dicts and sets. It ends, and most of them
 * without an error.
 * @param seed the same gives the same
 */
export function randomProgram(seed: number): string {
  return new Author(seed).write();
}

const MOST_DEPTH = 3;

class Author {
  #state: number;
  #names = 0;
  /** Variables that surely have a value, by what they are. */
  #numbers = ["zero"];
  #orders: string[] = [];

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761;
  }

  write(): string {
    const body = this.#block(0, 3 + this.#upTo(4));
    return ["import asyncio", "zero = 0", "log = []", "by = {}", ...body, `[log, by, ${this.#number()}]`, ""].join(
      "\n",
    );
  }

  #upTo(many: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return this.#state % many;
  }

  #pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.#upTo(choices.length)] ?? choices[0];
  }

  #fresh(base: string): string {
    this.#names += 1;
    return `${base}${this.#names}`;
  }

  #number(): string {
    const [first = "zero", ...others] = this.#numbers;
    return this.#pick([first, ...others, "1", "2", "7"]);
  }

  /** Variables of a block are gone behind it, because it may not have run. */
  #inner(depth: number, many: number): string[] {
    const [numbers, orders] = [[...this.#numbers], [...this.#orders]];
    const lines = this.#block(depth, many).map((line) => `    ${line}`);
    [this.#numbers, this.#orders] = [numbers, orders];
    return lines;
  }

  #block(depth: number, many: number): string[] {
    return Array.from({ length: many }, () => this.#statement(depth)).flat();
  }

  #statement(depth: number): string[] {
    const simple = [
      () => this.#call(),
      () => this.#call(),
      () => this.#assign(),
      () => [`log.append(${this.#number()})`],
      () => [`await store_note(text=${this.#text()}, about=[${this.#number()}])`],
      () => [`by[str(${this.#number()})] = ${this.#number()}`],
      () => [`zero += ${this.#number()}`],
    ] as const;
    const inside = [
      () => [`if ${this.#condition()}:`, ...this.#inner(depth + 1, 2), "else:", ...this.#inner(depth + 1, 1)],
      () => [`if ${this.#condition()}:`, ...this.#inner(depth + 1, 2)],
      () => this.#loop(depth),
      () => this.#loop(depth),
      () => [
        "try:",
        ...this.#inner(depth + 1, 2),
        "    await store_note(text='no')",
        "except RuntimeError as error:",
        "    log.append(str(error)[-7:])",
      ],
      () => {
        const name = this.#fresh("seen");
        return [
          `${name} = set()`,
          `${name}.add(${this.#number()})`,
          `await store_get(id=len(${name}))`,
          `log.append(len(${name}))`,
        ];
      },
      () => {
        const [one, other] = [this.#fresh("list"), this.#fresh("same")];
        return [
          `${one} = [1]`,
          `${other} = ${one}`,
          "await store_get(id=1)",
          `${other}.append(${this.#number()})`,
          `log.append(len(${one}))`,
        ];
      },
    ] as const;
    return depth < MOST_DEPTH && this.#upTo(3) === 0 ? this.#pick(inside)() : this.#pick(simple)();
  }

  #call(): string[] {
    const name = this.#fresh("order");
    const line = `${name} = await store_get(id=${this.#number()})`;
    this.#orders.push(name);
    if (this.#upTo(3) > 0) return [line];
    const other = this.#fresh("n");
    const lines = [line, `${other} = (await store_get(id=${this.#number()} + 1))["id"] + len(${name}["tags"])`];
    this.#numbers.push(other);
    return lines;
  }

  #assign(): string[] {
    const name = this.#fresh("n");
    const value = this.#pick([`${this.#number()} + ${this.#number()}`, this.#number(), `len(log) * ${this.#number()}`]);
    this.#numbers.push(name);
    return [`${name} = ${value}`];
  }

  #text(): string {
    return this.#pick(["'a'", "'{{ $.x }}'", "'$.vars.zero'", `str(${this.#number()})`, `f"n{${this.#number()}}"`]);
  }

  #condition(): string {
    const [order] = this.#orders.slice(-1);
    const about = order === undefined ? "True" : order;
    const choices = [`${this.#number()} > ${this.#number()}`, `len(log) % 2 == 0`, `${this.#number()} == 2`] as const;
    if (about === "True") return this.#pick(choices);
    return this.#pick([
      ...choices,
      ...([
        `${about}["open"]`,
        `${about}["total"] > 3 and not ${about}["open"]`,
        `${about}["state"] == "new"`,
      ] as const),
      ...([
        `${about}["note"] is None`,
        `${about}["tags"]`,
        `len(${about}["tags"]) > 1 or ${about}["id"] < 2`,
        `"a" in ${about}["tags"]`,
      ] as const),
    ]);
  }

  #loop(depth: number): string[] {
    const name = this.#fresh("i");
    const items = this.#pick([
      ...(["numbers", "[1, 2]", "range(2)", `(await store_list(first=${this.#number()}, many=2))["ids"]`] as const),
      ...(["[n + 1 for n in numbers if n < 3]", "sorted(numbers)"] as const),
    ]);
    const before = [...this.#numbers];
    this.#numbers.push(name);
    const body = this.#inner(depth + 1, 1 + this.#upTo(2));
    this.#numbers = before;
    const leave = this.#pick([
      [],
      [],
      [`    if ${name} == 2:`, "        continue"],
      [`    if ${name} == 2:`, "        break"],
    ]);
    return [`for ${name} in ${items}:`, ...leave, ...body];
  }
}
