import { box, bytes, fullBox, u32 } from '../mp4/write-boxes.ts';
import { type MediaTags, tagText } from './id3.ts';

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
