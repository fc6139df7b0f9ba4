import { hash } from 'node:crypto';
import type { FileStore, StoredFile } from '../../stores/contracts/file-store.ts';

/** Pictures that have been drawn, in a bounded place that outlives a restart. */
export interface PictureCache {
  /** Null when it does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** @throws StorageFull */
  keep(name: string, picture: Buffer): Promise<void>;
}

async function readWhole(file: StoredFile): Promise<Buffer> {
  const bytes = Buffer.alloc(file.length);
  for (let position = 0; position < bytes.length; ) {
    const read = await file.read(bytes.subarray(position), position);
    if (read === 0) throw new Error('a kept picture is shorter than it was');
    position += read;
  }
  return bytes;
}

export function keepPictures(files: Pick<FileStore, 'open' | 'create'>): PictureCache {
  const keyOf = (name: string) => `share-${hash('sha256', name, 'hex')}`;
  return {
    async read(name) {
      const file = await files.open(keyOf(name));
      if (file === null) return null;
      return readWhole(file).finally(() => file.close());
    },

    async keep(name, picture) {
      const facts = { length: picture.length, etag: `"${hash('sha256', picture, 'hex')}"` };
      const draft = await files.create(keyOf(name), facts);
      try {
        await draft.write(picture);
        await draft.publish();
      } finally {
        await draft.close();
      }
    },
  };
}
