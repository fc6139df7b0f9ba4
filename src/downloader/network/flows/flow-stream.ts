import { Readable } from 'node:stream';
import type { MediaFlow, MediaSink } from '../contracts.ts';

/** What a stream needs of a flow. */
type StreamedFlow = Pick<MediaFlow, 'connect' | 'resume' | 'stop'>;

/** A flow as an ordinary stream. Destroying it closes the connection; nothing flows before it is read. */
export class FlowStream extends Readable implements MediaSink {
  readonly #flow: StreamedFlow;
  #connected = false;

  constructor(flow: StreamedFlow) {
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
