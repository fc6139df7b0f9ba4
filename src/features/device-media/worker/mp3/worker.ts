/**
 * Encodes one mp3 out of what the server sends, with the codecs that the server has and in the same steps: the file is the
 * same to the byte.
 */

import { decoder as createDecoder } from '@audio/decode-aac';
import { createEncoder } from 'wasm-media-encoders';
import { fitMp3, mp3Length } from '../../../../downloader/media/mp3/fit.ts';
import type { Made, Mp3Order } from '../messages.ts';
import { serve, type Teller } from '../serve.ts';
import { createStopwatch, encodeFrames, openFrames } from './encode-frames.ts';

async function encode({ frames, lame: lameAddress, leastSpeed }: Mp3Order, tell: Teller): Promise<Made> {
  const [{ head, tag, chunks }, decoder, lame] = await Promise.all([
    openFrames(frames),
    createDecoder(),
    createEncoder('audio/mpeg', lameAddress),
  ]);
  const { facts, fade, name } = head;
  const wholeBytes = tag.length + mp3Length(facts);
  const measure = createStopwatch(facts.durationS, leastSpeed, tell.proven);
  const encoded = encodeFrames(chunks, { decoder, lame, facts, fade, measure });
  const parts = [new Uint8Array(tag)];
  let made = tag.length;
  for await (const bytes of fitMp3(encoded, facts)) {
    // The encoder's memory is used again.
    parts.push(new Uint8Array(bytes));
    made += bytes.length;
    tell.progress(Math.min(1, made / wholeBytes));
  }
  // A file that is not whole is none.
  if (made !== wholeBytes) throw new Error(`${made} bytes of ${wholeBytes}`);
  return { file: new File(parts, name, { type: 'audio/mpeg' }) };
}

serve(encode);
