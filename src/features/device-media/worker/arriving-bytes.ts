import { joined } from '../../../downloader/media/joined.ts';

/** A body's bytes as they arrive, as many at a time as are wanted. */
export class ArrivingBytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Bytes that have arrived and were not taken. */
  held: Uint8Array = new Uint8Array(0);

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Waits until a number of bytes is held. @throws Error when the body ends before */
  async fill(bytes: number): Promise<void> {
    if (this.held.length >= bytes) return;
    const pieces = [this.held];
    let length = this.held.length;
    while (length < bytes) {
      const { value, done } = await this.#reader.read();
      if (done) throw new Error(`ended ${bytes - length} bytes early`);
      pieces.push(value);
      length += value.length;
    }
    // Joined once: a picture comes in hundreds of pieces.
    this.held = joined(...pieces);
  }

  /** Takes bytes, in a buffer of their own. @throws as `fill` */
  async take(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.fill(bytes);
    const taken = this.held.slice(0, bytes);
    this.held = this.held.subarray(bytes);
    return taken as Uint8Array<ArrayBuffer>;
  }
}
