import type { ObjectStore } from '../../contracts/object-store.ts';
import {
  contentTypeOf,
  type PictureFiles,
  type PictureName,
  PicturesUnavailable,
} from '../../contracts/picture-files.ts';

/**
 * Pictures with bytes in the object store and names in the database. The database alone knows which pictures exist, and
 * still serves the bytes of those it stored earlier.
 */
export function createObjectPictures(
  objects: Pick<ObjectStore, 'put' | 'open'>,
  names: PictureFiles,
): PictureFiles {
  const keyOf = ({ id, width, format }: PictureName) => `pictures/${id}-${width}.${format}`;

  async function fromStore(name: PictureName): Promise<Uint8Array | null> {
    const object = await objects.open(keyOf(name));
    return object === null ? null : Buffer.concat(await object.body.toArray());
  }

  return {
    async read(name) {
      const known = await names.read(name);
      if (known === null || known.length > 0) return known;
      return fromStore(name).catch((error: unknown) => {
        throw new PicturesUnavailable(error);
      });
    },

    async write(files) {
      try {
        for (const file of files) {
          await objects.put(keyOf(file), file.bytes, { contentType: contentTypeOf(file.format) });
        }
      } catch (error) {
        throw new PicturesUnavailable(error);
      }
      // Afterwards, so that every name has its object.
      await names.write(files.map((file) => ({ ...file, bytes: new Uint8Array(0) })));
    },

    ids: () => names.ids(),
  };
}
