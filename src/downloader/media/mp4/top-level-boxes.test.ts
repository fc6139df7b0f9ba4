import { expect, test } from 'vitest';
import { isMp4 } from './top-level-boxes.ts';
import { box } from './write-boxes.ts';

const mp4s: [string, Buffer][] = [
  ['ftyp', box('ftyp', Buffer.from('isom\0\0\0\0'))],
  ['the tables', box('moov', Buffer.alloc(99))],
  ['media of more than 4 GB', Buffer.from('\0\0\0\x01mdat\0\0\0\x01', 'latin1')],
  ['media to the end', Buffer.from('\0\0\0\0mdatabcd', 'latin1')],
  ['free space', box('skip', Buffer.alloc(9))],
  ['a box that nobody knows, and ftyp', Buffer.concat([box('abcd', Buffer.alloc(9)), box('ftyp')])],
  ['a box that nobody knows, as far as it was read', box('abcd', Buffer.alloc(900)).subarray(0, 12)],
];
const others: [string, Buffer][] = [
  ...[
    '<!doctype html>',
    '<?xml version="1.0"',
    '#EXTM3U\n#EXT-X',
    '{"status_code":0}',
    'ID3\x04\0\0\0\0\0\0\0\0',
    'GIF89a......',
  ],
  ...[
    '\xff\xd8\xff\xe0\0\x10JFIF\0\x01',
    '\x89PNG\r\n\x1a\n\0\0\0\r',
    '\x1aE\xdf\xa3\0\0\0\0\0\0\0\0',
    'RIFF\0\0\0\0WEBP',
    '\x1f\x8b\x08\0',
  ],
  ...['\0\0\0\0\0\0\0\0\0\0\0\0', '\0\0\0\x20\0\0\0\0\0\0\0\0', ''],
].map((text) => [JSON.stringify(text), Buffer.from(text, 'latin1')]);

test.each(mp4s)('a file that begins with %s is an mp4', (_, head) => expect(isMp4(head)).toBe(true));
test.each(others)('a file that begins with %s is none', (_, head) => expect(isMp4(head)).toBe(false));
test('a file of a box that nobody knows, and of another format then, is none', () =>
  expect(isMp4(Buffer.concat([box('abcd'), Buffer.from('<!doctype html>')]))).toBe(false));
