import type { FadeOut, SoundFacts } from '../../../../downloader/media/contracts.ts';
import {
  type AacDecoder,
  Decoding,
  decodingSettings,
  requireSound,
} from '../../../../downloader/media/mp3/wasm/decoding.ts';
import { Encoding, type Lame } from '../../../../downloader/media/mp3/wasm/encoding.ts';
import type { ToEncoder } from '../../../../downloader/media/mp3/wasm/wasm-messages.ts';
import type { Measure } from './stopwatch.ts';

interface EncodeOptions {
  /** A new one. */
  readonly decoder: AacDecoder;
  readonly lame: Lame;
  readonly facts: SoundFacts;
  readonly fade: FadeOut | null;
  readonly measure: Measure;
}

/**
 * Whole ADTS frames through both codecs, one after the other in this thread.
 * @throws Failure `conversion_failed`; TooSlow; what the codecs throw
 */
export async function* encodeFrames(
  chunks: AsyncIterable<Uint8Array>,
  { decoder, lame, facts, fade, measure }: EncodeOptions,
): AsyncGenerator<Uint8Array> {
  const encoding = new Encoding(lame);
  let out: Uint8Array[] = [];
  let counted = { frames: 0, decoded: 0 };
  const take = (message: ToEncoder): void => {
    switch (message.type) {
      case 'start':
        encoding.start(message);
        return;
      case 'samples':
        out = encoding.samples(message);
        return;
      case 'end':
        counted = message;
        out = encoding.end(message.missing);
        return;
      default:
        throw new Error(`the decoder says '${message.type}'`);
    }
  };
  const decoding = new Decoding(decoder, decodingSettings(facts, fade), take);
  const secondsOf = (bytes: number) => (bytes / facts.bytes) * facts.durationS;
  for await (const chunk of chunks) {
    measure(secondsOf(chunk.length), () => decoding.take(chunk));
    yield* taken();
  }
  decoding.end();
  requireSound(counted);
  yield* taken();

  function* taken(): Generator<Uint8Array> {
    const made = out;
    out = [];
    for (const bytes of made) if (bytes.length > 0) yield bytes;
  }
}
