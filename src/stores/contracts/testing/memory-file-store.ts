import { type FileStore, StorageFull, type StoredFacts } from '../file-store.ts';

/** A file store in memory for tests, with a disk that can be full at will. */
export interface MemoryFileStore extends FileStore {
  /** Bytes after which each draft finds the disk full; null for never. */
  fullAfter: number | null;
  /** True: not even a draft can be started. */
  refuse: boolean;
  readonly openDrafts: number;
  readonly openFiles: number;
}

/** @param now ms since the epoch */
export function createMemoryFileStore(now: () => number = () => 0): MemoryFileStore {
  const files = new Map<string, { facts: StoredFacts; content: Buffer }>();
  let openDrafts = 0;
  let openFiles = 0;
  const readFrom = (content: Buffer, target: Uint8Array, position: number) =>
    content.copy(target, 0, position);

  return {
    fullAfter: null,
    refuse: false,
    get openDrafts() {
      return openDrafts;
    },
    get openFiles() {
      return openFiles;
    },
    async create(key, { length, etag }) {
      if (this.refuse) throw new StorageFull('set to refuse');
      openDrafts += 1;
      let content = Buffer.alloc(0);
      const bound = this.fullAfter ?? Number.POSITIVE_INFINITY;
      return {
        async write(bytes) {
          if (content.length + bytes.length > bound) throw new StorageFull('set to be full');
          content = Buffer.concat([content, bytes]);
        },
        async read(target, position) {
          return readFrom(content, target, position);
        },
        async publish() {
          if (content.length !== length) throw new RangeError('not whole');
          files.set(key, { facts: { length, etag, madeAt: now() }, content });
        },
        async discard() {},
        async close() {
          openDrafts -= 1;
        },
      };
    },
    async open(key) {
      const file = files.get(key);
      if (file === undefined) return null;
      openFiles += 1;
      return {
        ...file.facts,
        async read(target, position) {
          return readFrom(file.content, target, position);
        },
        async close() {
          openFiles -= 1;
        },
      };
    },
    facts: async (key) => files.get(key)?.facts ?? null,
    async sweep() {
      files.clear();
    },
    async close() {},
  };
}
