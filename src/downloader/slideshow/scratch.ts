import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failures/failures.ts';

/** The folder of unfinished parts of videos. */
export type Scratch = Awaited<ReturnType<typeof openScratch>>;

/**
 * Opens the folder and deletes leftovers of a killed process.
 * @param folder of one running instance: a second would delete the first one's files
 */
export async function openScratch(folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    /** A new folder. */
    async open() {
      const path = await mkdtemp(join(folder, 'video-')).catch((error: unknown) => {
        throw asDiskFailure(error);
      });
      return {
        path,
        /** Deletes it; without effect the second time. A stopped process may still be writing its last file. */
        delete: (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 }),
      };
    },
  };
}

const full: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Converts an error of the disk into a failure when the disk is full. */
export function asDiskFailure(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && full.includes(error.code);
  return isFull ? new Failure('storage_full', { cause: error, note: 'no room for a video' }) : error;
}

/** A file that is written from its beginning to its end, and read afterwards. */
export class ByteFile {
  readonly #handle: FileHandle;
  readonly #maxBytes: number;
  #length = 0;

  private constructor(handle: FileHandle, maxBytes: number) {
    this.#handle = handle;
    this.#maxBytes = maxBytes;
  }

  static async create(path: string, maxBytes: number): Promise<ByteFile> {
    const handle = await open(path, 'wx+', 0o600).catch((error: unknown) => {
      throw asDiskFailure(error);
    });
    return new ByteFile(handle, maxBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** @returns where the bytes begin @throws Failure `media_too_large`, `storage_full` */
  async append(bytes: Uint8Array): Promise<number> {
    const start = this.#length;
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes)
      throw new Failure('media_too_large', { note: `more than ${this.#maxBytes} bytes for a video` });
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, start + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw asDiskFailure(error);
    }
    return start;
  }

  async read(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#handle.read(bytes, 0, length, start);
    return bytes.subarray(0, bytesRead);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
