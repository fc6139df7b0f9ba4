/** What the emscripten module inside @audio/decode-aac 1.6 offers (FAAD2). */
interface FaadModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _aac_create(): number;
  _aac_sr_ptr(): number;
  _aac_ch_ptr(): number;
  _aac_init(decoder: number, bytes: number, length: number, sampleRate: number, channels: number): number;
  _aac_decode(decoder: number, bytes: number, length: number): number;
  _aac_samples(): number;
  _aac_channels(): number;
  _aac_samplerate(): number;
  _aac_close(decoder: number): void;
}

/** A decoded frame: samples of all channels interleaved in `heap` from `at` on. Valid until the next call. */
export interface DecodedFrame {
  readonly heap: Float32Array;
  readonly at: number;
  /** Of each channel. */
  readonly samples: number;
  readonly channels: number;
  readonly sampleRate: number;
}

/** An ADTS frame is at most 8191 bytes. */
const inputBytes = 8192;

/**
 * FAAD2 in WebAssembly, used without the package's wrapper: that one makes two arrays for each frame and copies each
 * sample three times.
 */
export class Faad {
  readonly #module: FaadModule;
  readonly #input: number;
  #decoder = 0;

  private constructor(module: FaadModule) {
    this.#module = module;
    this.#input = module._malloc(inputBytes);
  }

  static async load(): Promise<Faad> {
    // Not among the package's exports, so named by its file; the version is pinned, and the encoders' tests cover it.
    const file = new URL('./src/aac.wasm.js', import.meta.resolve('@audio/decode-aac'));
    const { default: create } = (await import(file.href)) as { default: () => Promise<FaadModule> };
    return new Faad(await create());
  }

  /** Begins a stream with its first ADTS frame, which is still to be decoded. @throws Error when it is none */
  start(frame: Uint8Array): void {
    this.end();
    const decoder = this.#module._aac_create();
    this.#module.HEAPU8.set(frame, this.#input);
    const { _aac_sr_ptr: rate, _aac_ch_ptr: channels } = this.#module;
    const consumed = this.#module._aac_init(decoder, this.#input, frame.length, rate(), channels());
    this.#decoder = decoder;
    if (consumed < 0) throw new Error('FAAD2: no ADTS frame');
  }

  /** Decodes one ADTS frame; null for the first one (its samples come with the second) and for a broken one. */
  decode(frame: Uint8Array): DecodedFrame | null {
    const module = this.#module;
    module.HEAPU8.set(frame, this.#input);
    const pointer = module._aac_decode(this.#decoder, this.#input, frame.length);
    const channels = module._aac_channels();
    if (pointer === 0 || channels === 0) return null;
    const samples = module._aac_samples() / channels;
    if (samples === 0) return null;
    return { heap: module.HEAPF32, at: pointer / 4, samples, channels, sampleRate: module._aac_samplerate() };
  }

  end(): void {
    if (this.#decoder !== 0) this.#module._aac_close(this.#decoder);
    this.#decoder = 0;
  }
}
