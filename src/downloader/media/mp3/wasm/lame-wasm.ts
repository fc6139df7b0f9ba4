import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What `mp3.wasm` of wasm-media-encoders 0.7 exports (`src/wasm/lame/lame_enc.c` there). */
interface LameExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  free(pointer: number): void;
  enc_init(parameters: number): number;
  enc_get_pcm(encoder: number, samples: number): number;
  enc_get_out_buf(encoder: number): number;
  enc_encode(encoder: number, samples: number): number;
  enc_flush(encoder: number): number;
  enc_free(encoder: number): void;
}

interface LameSettings {
  readonly channels: 1 | 2;
  /** Hz of the samples that will be given. */
  readonly inputRate: number;
  readonly outputRate: number;
  /** kbit/s, constant. */
  readonly bitrate: number;
  /** Samples of each channel that are encoded at once. */
  readonly batch: number;
}

/**
 * LAME in WebAssembly, used without the package's wrapper: that one allocates and copies every batch of samples twice,
 * while a decoder can write straight into LAME's own input.
 */
export class Lame {
  readonly #wasm: LameExports;
  #encoder = 0;
  /** All of its memory as samples; replaced when the memory grows. */
  #samples = new Float32Array(0);
  #left = 0;
  #right = 0;

  private constructor(wasm: LameExports) {
    this.#wasm = wasm;
  }

  static async load(): Promise<Lame> {
    const bytes = await readFile(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3')));
    const { instance } = await WebAssembly.instantiate(bytes, {
      env: { emscripten_notify_memory_growth: () => undefined },
      wasi_snapshot_preview1: {
        proc_exit: (code: number) => {
          throw new Error(`LAME ended with ${code}`);
        },
      },
    });
    const wasm = instance.exports as unknown as LameExports;
    wasm._initialize();
    return new Lame(wasm);
  }

  /** Begins a stream; ends the one before. @throws Error when LAME refuses the settings */
  start({ channels, inputRate, outputRate, bitrate, batch }: LameSettings): void {
    this.end();
    const parameters = this.#wasm.malloc(20);
    const fields = new DataView(this.#wasm.memory.buffer, parameters, 20);
    fields.setUint32(0, channels, true);
    fields.setUint32(4, inputRate, true);
    fields.setUint32(8, bitrate, true);
    fields.setFloat32(12, -1, true); // no variable bit rate
    fields.setUint32(16, outputRate, true);
    this.#encoder = this.#wasm.enc_init(parameters);
    this.#wasm.free(parameters);
    if (this.#encoder === 0)
      throw new Error(`LAME refuses ${channels} channel(s), ${inputRate} to ${outputRate} Hz`);
    const pointers = this.#wasm.enc_get_pcm(this.#encoder, batch);
    if (pointers === 0) throw new Error('LAME: out of memory');
    const view = new DataView(this.#wasm.memory.buffer);
    this.#left = view.getUint32(pointers, true) / 4;
    this.#right = channels === 2 ? view.getUint32(pointers + 4, true) / 4 : this.#left;
  }

  /**
   * Where the next batch of samples is written: an array over LAME's memory and each channel's first index in it. Asked
   * for before each batch, since encoding may move it. With one channel both are the same.
   */
  input(): { samples: Float32Array; left: number; right: number } {
    if (this.#samples.buffer !== this.#wasm.memory.buffer)
      this.#samples = new Float32Array(this.#wasm.memory.buffer);
    return { samples: this.#samples, left: this.#left, right: this.#right };
  }

  /** Encodes so many of the samples that were written; gives a copy of what came out. */
  encode(samples: number): Uint8Array<ArrayBuffer> {
    return this.#output(this.#wasm.enc_encode(this.#encoder, samples));
  }

  /** Encodes what LAME still holds. */
  flush(): Uint8Array<ArrayBuffer> {
    return this.#output(this.#wasm.enc_flush(this.#encoder));
  }

  end(): void {
    if (this.#encoder !== 0) this.#wasm.enc_free(this.#encoder);
    this.#encoder = 0;
  }

  #output(length: number): Uint8Array<ArrayBuffer> {
    if (length < 0) throw new Error(`LAME: error ${length}`);
    return new Uint8Array(
      this.#wasm.memory.buffer,
      this.#wasm.enc_get_out_buf(this.#encoder),
      length,
    ).slice();
  }
}
