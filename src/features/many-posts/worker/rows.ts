import type { HeldLink } from './read-links.ts';

const firstRoom = 1024;

const grown = <Numbers extends Float64Array | Uint32Array>(old: Numbers, next: Numbers): Numbers => {
  next.set(old);
  return next;
};

/** Posts, each once, with a date. */
export class Rows {
  count = 0;
  #form = new Uint32Array(firstRoom);
  #billions = new Float64Array(firstRoom);
  #rest = new Uint32Array(firstRoom);
  #date = new Float64Array(firstRoom);
  /** Places of rows plus one, by the hashes of their numbers; half of it is empty. */
  #table = new Uint32Array(firstRoom * 2);

  /** @param date in ms since the epoch @returns false for a post that is there already: the first one counts */
  add({ form, billions, rest }: HeldLink, date: number | null): boolean {
    if (this.count === this.#form.length) this.#grow();
    const slot = this.#slotOf(billions, rest);
    if (this.#table[slot] !== 0) return false;
    const at = this.count;
    this.#form[at] = form;
    this.#billions[at] = billions;
    this.#rest[at] = rest;
    this.#date[at] = date ?? Number.NaN;
    this.count = at + 1;
    this.#table[slot] = at + 1;
    return true;
  }

  link(at: number): HeldLink {
    return { form: this.#form[at] ?? 0, billions: this.#billions[at] ?? 0, rest: this.#rest[at] ?? 0 };
  }

  /** In ms since the epoch; null for none. */
  date(at: number): number | null {
    const date = this.#date[at] ?? Number.NaN;
    return Number.isNaN(date) ? null : date;
  }

  #slotOf(billions: number, rest: number): number {
    const mask = this.#table.length - 1;
    let slot = Math.imul(rest ^ Math.imul(billions | 0, 0x9e3779b1), 0x85ebca6b) >>> 0;
    for (slot = (slot ^ (slot >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#table[slot] as number) - 1;
      if (at < 0 || (this.#rest[at] === rest && this.#billions[at] === billions)) return slot;
    }
  }

  #grow(): void {
    const room = this.count * 2;
    this.#form = grown(this.#form, new Uint32Array(room));
    this.#billions = grown(this.#billions, new Float64Array(room));
    this.#rest = grown(this.#rest, new Uint32Array(room));
    this.#date = grown(this.#date, new Float64Array(room));
    this.#table = new Uint32Array(room * 2);
    for (let at = 0; at < this.count; at += 1)
      this.#table[this.#slotOf(this.#billions[at] as number, this.#rest[at] as number)] = at + 1;
  }
}
