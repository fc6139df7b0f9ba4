import type { FileHandle } from 'node:fs/promises';

/** One descriptor for all readers of a file: the first opens it, the last closes it. */
export class SharedFile {
  readonly #open: () => Promise<FileHandle | null>;
  #handle: Promise<FileHandle | null> | null = null;
  #leases = 0;

  /** @param open null when the file does not exist */
  constructor(open: () => Promise<FileHandle | null>) {
    this.#open = open;
  }

  get inUse(): boolean {
    return this.#leases > 0;
  }

  /** Null when the file does not exist; otherwise `release` must be called once. */
  async acquire(): Promise<FileHandle | null> {
    this.#leases += 1;
    this.#handle ??= this.#open();
    let handle: FileHandle | null = null;
    try {
      handle = await this.#handle;
    } finally {
      if (handle === null) this.#giveUp();
    }
    return handle;
  }

  async release(): Promise<void> {
    const handle = this.#handle;
    if (this.#giveUp()) await (await handle)?.close();
  }

  #giveUp(): boolean {
    this.#leases -= 1;
    if (this.#leases > 0) return false;
    this.#handle = null;
    return true;
  }
}
