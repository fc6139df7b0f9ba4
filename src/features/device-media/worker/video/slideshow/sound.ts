import {
  ADTS,
  AudioSampleSink,
  AudioSampleSource,
  type AudioSource,
  BufferSource,
  canEncodeAudio,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  MP3,
  Quality,
} from 'mediabunny';
import type { PartsHead } from '../../../wire/slideshow-parts.ts';

/** The sound of a video. */
export interface VideoSound {
  /** Seconds of one pass. */
  readonly durationS: number;
  /** The video takes it from here. */
  readonly source: AudioSource;
  /** Gives all of it to the source, again and again until a time. To be called once, when the video is begun. */
  write(untilS: number): Promise<void>;
}

/** As the server's: stereo at 128 kbit/s. */
const encoding = { numberOfChannels: 2, sampleRate: 44_100, quality: new Quality({ bitrate: 128_000 }) };

/**
 * Opens a sound. AAC that is heard everywhere is copied, and so is other AAC where the browser encodes none.
 * @throws Error when it is none, or this browser can neither copy nor encode it
 */
export async function openSound(
  bytes: Uint8Array<ArrayBuffer>,
  { format, isPlain }: NonNullable<PartsHead['sound']>,
): Promise<VideoSound> {
  const input = new Input({ source: new BufferSource(bytes), formats: [format === 'aac' ? ADTS : MP3] });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('a sound without frames');
  const [firstS, endS] = [await track.getFirstTimestamp(), await track.computeDuration()];
  const passing: Passing = { track, firstS, durationS: endS - firstS };
  if (!(passing.durationS > 0)) throw new Error('a sound without a length');
  if (isPlain) return copied(passing);
  if (await canEncodeAudio('aac', encoding)) return encoded(passing);
  if (format === 'aac') return copied(passing);
  throw new Error('no encoder for AAC');
}

interface Passing {
  readonly track: InputAudioTrack;
  readonly firstS: number;
  readonly durationS: number;
}

function copied({ track, firstS, durationS }: Passing): VideoSound {
  const source = new EncodedAudioPacketSource('aac');
  return {
    durationS,
    source,
    async write(untilS) {
      const decoderConfig = await track.getDecoderConfig();
      if (decoderConfig === null) throw new Error('a sound of an unknown kind');
      const sink = new EncodedPacketSink(track);
      for (let passS = 0; passS < untilS; passS += durationS)
        for await (const packet of sink.packets()) {
          const timestamp = passS + packet.timestamp - firstS;
          if (timestamp >= untilS) break;
          await source.add(packet.clone({ timestamp }), { decoderConfig });
        }
      source.close();
    },
  };
}

function encoded({ track, firstS, durationS }: Passing): VideoSound {
  const { quality, ...transform } = encoding;
  const source = new AudioSampleSource({ codec: 'aac', quality, transform });
  return {
    durationS,
    source,
    async write(untilS) {
      const sink = new AudioSampleSink(track);
      for (let passS = 0; passS < untilS; passS += durationS)
        for await (const sample of sink.samples()) {
          const timestamp = passS + sample.timestamp - firstS;
          sample.setTimestamp(timestamp);
          if (timestamp < untilS) await source.add(sample);
          sample.close();
          if (timestamp >= untilS) break;
        }
      source.close();
    },
  };
}
