import { addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { platformLink } from '../../../site/configuration/platforms.ts';

/** A post as it is held: hundreds of thousands of rows of strings would fill a phone. */
export interface HeldLink {
  /** The form of its address. */
  readonly form: number;
  /** Its number in billions, and the rest of it. */
  readonly billions: number;
  readonly rest: number;
}

/** Links of an export differ in nothing but their numbers: each form is looked at once. */
const mostForms = 2000;
const leastDigits = 15;
const mostDigits = 20;
/** Forms that are none. */
const [noPost, readEachTime] = [-1, -2];
/** The form of links without a number: codes. Their number is their place among them. */
const ofCodes = 0;

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

/** Finds the posts that links lead to. */
export class LinkReader {
  /** The parts of addresses before and after the number. */
  readonly #forms: (readonly [string, string])[] = [['', '']];
  /** By the hash of the link without its number. */
  readonly #known = new Map<number, number>();
  readonly #codes: string[] = [];
  readonly #placeOfCode = new Map<string, number>();
  readonly #decoder = new TextDecoder();

  /** The post of the link in some bytes; null where it leads to none. */
  read(bytes: Uint8Array, start: number, end: number): HeldLink | null {
    let hash = 7;
    let from = start;
    let to = start;
    for (; to < end; to += 1) {
      const byte = bytes[to] as number;
      if (isDigit(byte)) continue;
      if (to - from >= leastDigits) break;
      for (; from <= to; from += 1) hash = (Math.imul(hash, 31) + (bytes[from] as number)) | 0;
    }
    const digits = to - from;
    if (digits < leastDigits || digits > mostDigits) return this.#readText(bytes, start, end);
    for (let at = to; at < end; at += 1) hash = (Math.imul(hash, 33) + (bytes[at] as number)) | 0;
    const key = (hash >>> 0) * mostDigits + digits;
    const form = this.#known.get(key) ?? this.#learn(key, bytes, start, end, from, to);
    if (form === noPost) return null;
    if (form === readEachTime) return this.#readText(bytes, start, end);
    return { form, billions: numberIn(bytes, from, to - 9), rest: numberIn(bytes, to - 9, to) };
  }

  /** The address of a post that was read. */
  addressOf({ form, billions, rest }: HeldLink): string {
    if (form === ofCodes) return this.#codes[rest] ?? '';
    const [before, after] = this.#forms[form] ?? ['', ''];
    return `${before}${billions}${String(rest).padStart(9, '0')}${after}`;
  }

  #learn(key: number, bytes: Uint8Array, start: number, end: number, from: number, to: number): number {
    const address = postIn(this.#decoder.decode(bytes.subarray(start, end)));
    const [before, after, ...more] = address?.split(this.#decoder.decode(bytes.subarray(from, to))) ?? [];
    const isPlain = before !== undefined && after !== undefined && more.length === 0 && bytes[from] !== 0x30;
    if (this.#known.size >= mostForms) return readEachTime;
    const same = this.#forms.findIndex(([first, last], at) => at > 0 && first === before && last === after);
    const form = address === null ? noPost : !isPlain ? readEachTime : same > 0 ? same : this.#forms.length;
    if (form === this.#forms.length) this.#forms.push([before ?? '', after ?? '']);
    this.#known.set(key, form);
    return form;
  }

  #readText(bytes: Uint8Array, start: number, end: number): HeldLink | null {
    const address = postIn(this.#decoder.decode(bytes.subarray(start, end)));
    if (address === null) return null;
    const place = this.#placeOfCode.get(address) ?? this.#codes.push(address) - 1;
    this.#placeOfCode.set(address, place);
    return { form: ofCodes, billions: -1, rest: place };
  }
}

function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + (bytes[at] as number) - 0x30;
  return number;
}

function postIn(link: string): string | null {
  if (!platformLink.test(link)) return null;
  const [post] = recogniseAll(link, linkTables, 1);
  return post === undefined ? null : addressOf(post, linkTables);
}
