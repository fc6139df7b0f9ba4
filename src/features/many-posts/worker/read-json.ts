import { joined } from '../../../downloader/media/joined.ts';
import { readDate, readPlainDate } from './dates.ts';
import type { HeldLink } from './read-links.ts';
import { type Sections, UnreadableExport } from './sections.ts';

/** Lists stand five deep at most. What is deeper is none. */
const mostDepth = 32;
/** Longer texts are no links. */
const mostText = 64 * 1024;

const linkName = /link|url/i;
const dateName = /date|time/i;

/** A name of an export's fields. */
interface Key {
  readonly name: string;
  readonly isLink: boolean;
  readonly isDate: boolean;
}

/** An object or a list that has not ended. */
interface Frame {
  /** The names around it, the outermost first, each after a line break. */
  path: string;
  isList: boolean;
  date: number | null;
  /** Where its links begin among those whose objects have not ended. */
  firstLink: number;
}

const nothing: Key = { name: '', isLink: false, isDate: false };

/**
 * Reads an export by its shape: objects in lists whose link is a post's, under whatever names. It takes the bytes as
 * they come, and holds posts only: a year of watching is too much for a phone as objects. For 20 MB, `JSON.parse` and its
 * objects take 180 MB. The tokenizer of `@streamparser/json` takes twice the time of this one (0.6 s against 0.34 s of a
 * laptop's processor, which has to be a second at a fourth of its speed), since it makes a string of every text, and
 * another 3.9 kB.
 */
export class JsonReader {
  readonly #sections: Sections;
  readonly #decoder = new TextDecoder();
  readonly #keys = new Map<number, Key>();
  readonly #frames: Frame[] = [];
  readonly #links: HeldLink[] = [];
  #depth = 0;
  #key = nothing;
  /** Whether a name comes next. */
  #isName = false;
  /** The text or number at the end of the last bytes, which goes on in the next ones. */
  #rest = new Uint8Array(0);
  /** In a text that is too long, and whether its next byte is escaped. */
  #isSkipping = false;
  #isEscaped = false;
  #hasBegun = false;

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  /** @throws UnreadableExport `too_many`, `broken` */
  push(chunk: Uint8Array): void {
    let at = 0;
    if (this.#isSkipping) {
      at = this.#skip(chunk);
      if (this.#isSkipping) return;
    }
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const end = bytes.length;
    this.#rest = new Uint8Array(0);
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      switch (byte) {
        case 0x22: {
          const from = at + 1;
          let hash = 0;
          let isPlain = true;
          for (at = from; at < end && bytes[at] !== 0x22; at += 1) {
            hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
            if (bytes[at] !== 0x5c) continue;
            isPlain = false;
            at += 1;
          }
          if (at >= end) this.#keep(bytes, from - 1);
          else if (isPlain) this.#text(bytes, from, at, hash);
          else this.#escaped(bytes, from, at);
          break;
        }
        case 0x7b: // {
        case 0x5b: // [
          this.#open(byte === 0x5b);
          break;
        case 0x7d: // }
        case 0x5d: // ]
          this.#close(byte === 0x5d);
          break;
        case 0x2c: // ,
          this.#isName = this.#depth <= mostDepth && this.#frames[this.#depth - 1]?.isList === false;
          break;
        case 0x3a: // :
          this.#isName = false;
          break;
        default:
          if (!this.#key.isDate || byte < 0x30 || byte > 0x39) break;
          at = this.#number(bytes, at);
      }
    }
  }

  /** @throws UnreadableExport `broken` when something has not ended */
  end(): void {
    if (this.#depth > 0 || this.#rest.length > 0 || this.#isSkipping) throw new UnreadableExport('broken');
  }

  /** A date in numbers. @returns where its last digit is */
  #number(bytes: Uint8Array, from: number): number {
    let to = from;
    while (to < bytes.length && (bytes[to] as number) >= 0x30 && (bytes[to] as number) <= 0x39) to += 1;
    if (to === bytes.length) this.#keep(bytes, from);
    else this.#note(readDate(Number(this.#decoder.decode(bytes.subarray(from, to)))));
    return to - 1;
  }

  #keep(bytes: Uint8Array, from: number): void {
    this.#rest = bytes.slice(from);
    if (this.#rest.length <= mostText) return;
    this.#rest = new Uint8Array(0);
    this.#isSkipping = true;
    this.#isEscaped = false;
    this.#skip(bytes.subarray(from + 1));
  }

  /** @returns where the text ends that is too long */
  #skip(bytes: Uint8Array): number {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[at] === 0x5c) this.#isEscaped = true;
      else if (bytes[at] === 0x22) {
        this.#isSkipping = false;
        return at + 1;
      }
    }
    return bytes.length;
  }

  #open(isList: boolean): void {
    // One value is all of it.
    if (this.#depth === 0 && this.#hasBegun) throw new UnreadableExport('broken');
    this.#hasBegun = true;
    this.#depth += 1;
    this.#isName = !isList && this.#depth <= mostDepth;
    if (this.#depth > mostDepth) return;
    const above = this.#frames[this.#depth - 2];
    const path = above === undefined ? '' : above.isList ? above.path : `${above.path}\n${this.#key.name}`;
    const frame = this.#frames[this.#depth - 1];
    this.#key = nothing;
    const opened: Frame = { path, isList, date: null, firstLink: this.#links.length };
    if (frame === undefined) this.#frames.push(opened);
    else Object.assign(frame, opened);
  }

  #close(isList: boolean): void {
    const frame = this.#frames[this.#depth - 1];
    if (this.#depth === 0 || (this.#depth <= mostDepth && frame?.isList !== isList))
      throw new UnreadableExport('broken');
    this.#depth -= 1;
    this.#isName = false;
    this.#key = nothing;
    if (this.#depth >= mostDepth || frame === undefined || this.#links.length === frame.firstLink) return;
    const section = this.#sections.sectionOf(frame.path);
    while (this.#links.length > frame.firstLink)
      this.#sections.put(section, this.#links.pop() as HeldLink, frame.date);
  }

  #escaped(bytes: Uint8Array, from: number, to: number): void {
    let text: unknown;
    try {
      text = JSON.parse(this.#decoder.decode(bytes.subarray(from - 1, to + 1)));
    } catch (thrown) {
      throw new UnreadableExport('broken', thrown);
    }
    const plain = new TextEncoder().encode(String(text));
    let hash = 1;
    for (const byte of plain) hash = (Math.imul(hash, 37) + byte) | 0;
    this.#text(plain, 0, plain.length, hash);
  }

  #text(bytes: Uint8Array, from: number, to: number, hash: number): void {
    if (this.#isName) {
      const key = (hash >>> 0) * 64 + ((to - from) & 63);
      this.#key = this.#keys.get(key) ?? this.#learn(key, this.#decoder.decode(bytes.subarray(from, to)));
      return;
    }
    const frame = this.#depth > mostDepth ? undefined : this.#frames[this.#depth - 1];
    if (frame === undefined) return;
    if (frame.isList || this.#key.isLink) {
      const link = this.#sections.read(bytes, from, to);
      if (link !== null) this.#links.push(link);
    } else if (this.#key.isDate)
      this.#note(readPlainDate(bytes, from, to) ?? readDate(this.#decoder.decode(bytes.subarray(from, to))));
  }

  #note(date: number | null): void {
    const frame = this.#frames[this.#depth - 1];
    if (this.#depth <= mostDepth && frame?.isList === false) frame.date ??= date;
  }

  #learn(key: number, name: string): Key {
    const learnt = { name, isLink: linkName.test(name), isDate: dateName.test(name) };
    // Chats are listed under people's names.
    if (this.#keys.size < mostText) this.#keys.set(key, learnt);
    return learnt;
  }
}
