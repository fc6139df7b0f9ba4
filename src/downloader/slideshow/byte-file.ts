import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '../../failures/failures.ts';
import { asDiskFailure } from './scratch.ts';

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
