import { Readable } from 'node:stream';
import type { MediaFlow, MediaSink } from './contracts.ts';

/** A flow as an ordinary stream. Destroying it closes the connection; nothing flows before it is read. */
export class FlowStream extends Readable implements MediaSink {
  readonly #flow: MediaFlow;
  #connected = false;

  constructor(flow: MediaFlow) {
    super({ highWaterMark: 64 * 1024 });
    this.#flow = flow;
  }

  data(chunk: Buffer): boolean {
    return this.push(chunk);
  }

  end(): void {
    this.push(null);
  }

  fail(error: Error): void {
    this.destroy(error);
  }

  override _read(): void {
    if (this.#connected) this.#flow.resume();
    else {
      this.#connected = true;
      this.#flow.connect(this);
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#flow.stop();
    callback(error);
  }
}
