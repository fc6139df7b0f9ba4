import { afterEach, expect, test, vi } from 'vitest';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { fetchFile } from './sharing.tsx';

afterEach(() => vi.unstubAllGlobals());

const option = { id: 'mp4', format: 'mp4', href: '/api/files/x' };
const wanted = { post: { id: '1' }, option } as RequestedFile;
const ready = () => Response.json({ code: 200, result: { name: 'a-1.mp4' } });

/** A server's response for the file; everything is fetched from it. @returns the fetched parts */
function serve(file: (pull: () => Uint8Array) => Response) {
  const taken: number[] = [];
  const pull = () => {
    taken.push(taken.length);
    return new Uint8Array(50_000_000);
  };
  vi.stubGlobal('fetch', async (address: string) => (address.includes('/ready') ? ready() : file(pull)));
  return taken;
}

const endless = (pull: () => Uint8Array, headers: Record<string, string>) =>
  new Response(
    new ReadableStream({ pull: (controller) => controller.enqueue(pull()) }, { highWaterMark: 0 }),
    { headers },
  );

const fetched = () => fetchFile(wanted, 'en', new AbortController().signal, () => {});

test('does not read a file at all that claims to be too large', async () => {
  const taken = serve((pull) => endless(pull, { 'content-length': '200000001' }));
  expect(await fetched()).toBe('too-large');
  expect(taken).toEqual([]);
});

test('reads a file of any length no further than a phone can hold', async () => {
  const taken = serve((pull) => endless(pull, {}));
  expect(await fetched()).toBe('too-large');
  expect(taken).toHaveLength(5);
});

test('reports a refusal in the words of the server, and a lost connection as such', async () => {
  serve(() => Response.json({ error: { message: 'Wait a moment.' } }, { status: 429 }));
  expect(await fetched()).toEqual({ refusal: 'Wait a moment.' });
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('gone');
  });
  expect(await fetched()).toEqual({ refusal: null });
});

test.each([
  ['all of it', 4, '4', 'a-1.mp4'],
  ['a part', 3, '4', { refusal: null }],
  ['nothing', 0, '', { refusal: null }],
])('gives a file for sharing only when it is whole: %s', async (_, bytes, length, expected) => {
  serve(
    () => new Response(new Uint8Array(bytes), { headers: length === '' ? {} : { 'content-length': length } }),
  );
  const file = await fetched();
  expect(file instanceof File ? file.name : file).toEqual(expected);
});
