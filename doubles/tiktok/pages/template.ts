import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Minting } from '../media/signing.ts';

/** A part of a page that differs in each response. */
type Slot = (minting: Minting) => string;

/** Private-use characters that no text of a post holds; a number between them names a slot. */
const OPEN = '\uE000';
const CLOSE = '\uE001';

/** Collects slots while a page's text is put together. */
export class Slots {
  readonly #slots: Slot[] = [];

  /** Text that stands for the slot until the page is rendered. */
  add(slot: Slot): string {
    this.#slots.push(slot);
    return `${OPEN}${this.#slots.length - 1}${CLOSE}`;
  }

  /** @param escapeSlot applied to the value of a slot, because the text around it is already escaped */
  template(text: string, escapeSlot: (text: string) => string = (same) => same): Template {
    const parts = text.split(new RegExp(`${OPEN}(\\d+)${CLOSE}`));
    return new Template(
      parts.map((part, index) => {
        const slot = this.#slots[Number(part)];
        if (index % 2 === 0 || slot === undefined) return staticPart(part);
        return { make: (minting) => Buffer.from(escapeSlot(slot(minting))) };
      }),
    );
  }
}

type Part =
  | { readonly plain: Buffer; readonly deflated: Buffer }
  | { readonly make: (minting: Minting) => Buffer };

/** Large parts are equal on many pages, and cached once. */
const SHARED_FROM_LENGTH = 20_000;
const sharedParts = new Map<string, Part>();

/** Compressed once, ending at a byte boundary so that it can be concatenated. */
function staticPart(text: string): Part {
  const shared = sharedParts.get(text);
  if (shared !== undefined) return shared;
  const plain = Buffer.from(text);
  const part = { plain, deflated: deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH }) };
  if (text.length >= SHARED_FROM_LENGTH) sharedParts.set(text, part);
  return part;
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const LAST_EMPTY_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

/**
 * A page with pre-encoded and pre-compressed fixed parts. Minted values are inserted, for gzip as stored blocks (RFC
 * 1951, 3.2.4), so that a response costs next to nothing.
 */
export class Template {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  render(minting: Minting): Buffer {
    return Buffer.concat(this.#parts.map((part) => ('plain' in part ? part.plain : part.make(minting))));
  }

  renderGzip(minting: Minting): Buffer {
    const pieces: Buffer[] = [GZIP_HEADER];
    let checksum = 0;
    let length = 0;
    for (const part of this.#parts) {
      const plain = 'plain' in part ? part.plain : part.make(minting);
      if (plain.length === 0) continue;
      checksum = crc32(plain, checksum);
      length += plain.length;
      if ('plain' in part) pieces.push(part.deflated);
      else pieces.push(storedBlockHeader(plain.length), plain);
    }
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(checksum);
    trailer.writeUInt32LE(length >>> 0, 4);
    pieces.push(LAST_EMPTY_BLOCK, trailer);
    return Buffer.concat(pieces);
  }
}

function storedBlockHeader(length: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0]);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(~length & 0xffff, 3);
  return header;
}
