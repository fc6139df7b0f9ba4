import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PictureFile, PictureFiles } from '../picture-files.ts';

/** The suite for every implementation of {@link PictureFiles}. */
export function describePictureFiles(
  name: string,
  makePlace: () => Promise<{ readonly pictures: PictureFiles; remove(): Promise<void> }>,
): void {
  describe(`pictures: ${name}`, () => {
    let place: Awaited<ReturnType<typeof makePlace>>;
    beforeEach(async () => {
      place = await makePlace();
    });
    afterEach(() => place.remove());

    const id = 'abcdef0123456789abcd';
    const file = (width: number, format: string, bytes: Uint8Array | string): PictureFile => ({
      ...{ id, width, format },
      bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    });
    const read = async (width: number, format: string, of = id) => {
      const bytes = await place.pictures.read({ id: of, width, format });
      return bytes === null ? null : Buffer.from(bytes);
    };

    it('returns each file as it was written, and nothing else', async () => {
      const all = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      await place.pictures.write([
        file(320, 'avif', all),
        file(320, 'jpg', 'small'),
        file(0, 'original', 'o'),
      ]);
      expect(Buffer.from(all).equals((await read(320, 'avif')) ?? Buffer.alloc(0))).toBe(true);
      expect(await read(320, 'jpg')).toEqual(Buffer.from('small'));
      expect(await read(0, 'original')).toEqual(Buffer.from('o'));
      expect(await read(640, 'jpg')).toBeNull();
      expect(await read(320, 'jpg', 'f'.repeat(20))).toBeNull();
      expect(await place.pictures.ids()).toEqual(new Set([id]));
    });

    it('accepts the same picture twice, and an empty list', async () => {
      expect(await place.pictures.ids()).toEqual(new Set());
      await place.pictures.write([file(320, 'jpg', 'bytes')]);
      await place.pictures.write([file(320, 'jpg', 'bytes'), file(640, 'jpg', 'more')]);
      await place.pictures.write([]);
      expect(await read(320, 'jpg')).toEqual(Buffer.from('bytes'));
      expect(await read(640, 'jpg')).toEqual(Buffer.from('more'));
    });
  });
}
