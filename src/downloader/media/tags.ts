import type { Post } from '../post/post.ts';
import { box, bytes, fullBox, u32 } from './mp4/write-boxes.ts';

/** A picture inside a tag. */
export interface CoverPicture {
  readonly mime: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The metadata of a finished file. */
export interface MediaTags {
  readonly title: string;
  readonly artist: string;
  /** The post's public address. */
  readonly sourceUrl: string;
  readonly cover?: CoverPicture;
}

/** Players show a line; a post's text can have thousands of characters. */
const maxTextLength = 300;
const frontCover = 3;

/**
 * An ID3v2.3 tag (https://id3.org/id3v2.3.0), which every player reads, unlike 2.4: title, artist, length, the source's
 * address (as comment and as official source address) and the cover.
 * @param durationMs for `TLEN`
 * @returns the whole tag; its length is the buffer's
 */
export function writeId3(tags: MediaTags & { readonly durationMs: number }): Buffer {
  const frames = [
    textFrame('TIT2', tagText(tags.title)),
    textFrame('TPE1', tagText(tags.artist)),
    textFrame('TLEN', String(Math.max(0, Math.round(tags.durationMs)))),
    frame('COMM', comment(tags.sourceUrl)),
    frame('WOAS', Buffer.from(new URL(tags.sourceUrl).href, 'latin1')),
    ...(tags.cover === undefined ? [] : [frame('APIC', picture(tags.cover))]),
  ];
  const body = Buffer.concat(frames);
  const header = Buffer.alloc(10);
  header.write('ID3\x03\x00\x00', 'latin1');
  writeSyncsafe(header, body.length, 6);
  return Buffer.concat([header, body]);
}

/** One line without control characters, cut to a length that players show; never half a surrogate pair. */
export function tagText(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const chars = [...line];
  return chars.length <= maxTextLength ? line : `${chars.slice(0, maxTextLength - 1).join('')}…`;
}

function textFrame(id: string, text: string): Buffer {
  return text === '' ? Buffer.alloc(0) : frame(id, encoded(text));
}

/** Language, empty description, text: both texts in the same encoding. */
function comment(text: string): Buffer {
  const language = Buffer.from('eng', 'latin1');
  const [encoding, body] = encodedParts(text);
  const end = encoding === 0 ? Buffer.from([0]) : Buffer.from([0xff, 0xfe, 0, 0]);
  return Buffer.concat([Buffer.from([encoding]), language, end, body]);
}

function picture({ mime, bytes }: CoverPicture): Buffer {
  const head = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(`${mime}\0`, 'latin1'),
    Buffer.from([frontCover, 0]),
  ]);
  return Buffer.concat([head, bytes]);
}

function frame(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10);
  header.write(id, 'latin1');
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

function encoded(text: string): Buffer {
  const [encoding, body] = encodedParts(text);
  return Buffer.concat([Buffer.from([encoding]), body]);
}

/** ISO-8859-1 where possible, else UTF-16 with a byte order mark: 2.3 has no UTF-8. */
function encodedParts(text: string): [0 | 1, Buffer] {
  if (/^[\x20-\x7e\xa0-\xff]*$/.test(text)) return [0, Buffer.from(text, 'latin1')];
  return [1, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])];
}

/** 28 bits in four bytes whose top bits are zero. */
function writeSyncsafe(into: Buffer, value: number, at: number): void {
  if (value >= 1 << 28) throw new RangeError(`an ID3 tag of ${value} bytes`);
  for (let n = 0; n < 4; n++) into[at + n] = (value >> (21 - 7 * n)) & 0x7f;
}

/** The `udta` of a movie: title, artist, source address and cover as iTunes writes them; every player reads these. */
export function writeTags(tags: MediaTags): Buffer {
  const utf8 = 1;
  const picture = tags.cover?.mime === 'image/png' ? 14 : 13;
  const item = (name: string, type: number, value: Uint8Array) =>
    value.length === 0 ? Buffer.alloc(0) : box(name, box('data', u32(type, 0), Buffer.from(value)));
  const ilst = box(
    'ilst',
    item('\xa9nam', utf8, Buffer.from(tagText(tags.title))),
    item('\xa9ART', utf8, Buffer.from(tagText(tags.artist))),
    item('\xa9cmt', utf8, Buffer.from(tags.sourceUrl)),
    item('covr', picture, tags.cover?.bytes ?? new Uint8Array(0)),
  );
  const hdlr = fullBox('hdlr', 0, u32(0), bytes('mdirappl'), u32(0, 0), Buffer.from([0]));
  return box('udta', fullBox('meta', 0, hdlr, ilst));
}

/** The tags of a file of a post. @param otherTitle for a post without a text */
export const tagsOfPost = (
  { title, author, id, url }: Pick<Post, 'title' | 'author' | 'id' | 'url'>,
  otherTitle = '',
): MediaTags => ({
  title: title.trim() || otherTitle || `${author.handle} ${id}`,
  artist: author.name.trim() || author.handle,
  sourceUrl: url,
});
