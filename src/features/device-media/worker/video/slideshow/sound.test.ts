import {
  type AudioSource,
  BufferSource,
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { expect, test } from 'vitest';
import { toneAdts, toneFrames } from '../../../../../downloader/media/testing/tone.ts';
import { openSound } from './sound.ts';

const frameS = 1024 / 44_100;
const tone = new Uint8Array(toneAdts);

/** A sound-only mp4, and its frames. */
async function mp4Of(source: AudioSource, write: () => Promise<void>) {
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  output.addAudioTrack(source);
  await output.start();
  await write();
  await output.finalize();
  const input = new Input({
    source: new BufferSource(output.target.buffer ?? new ArrayBuffer()),
    formats: [MP4],
  });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('no sound');
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return packets;
}

test.each([
  ['as it is', toneFrames.length],
  ['until a shorter video ends', 10],
  ['again, until a longer video ends', toneFrames.length * 2 + 5],
])('copies AAC frame by frame, %s', async (_, frames) => {
  const { durationS, source, write } = await openSound(tone, { format: 'aac', isPlain: true });
  expect(durationS).toBeCloseTo(toneFrames.length * frameS, 6);
  const packets = await mp4Of(source, () => write((frames - 0.5) * frameS));
  expect(packets).toHaveLength(frames);
  for (const [n, { data, timestamp }] of packets.entries()) {
    expect(timestamp).toBeCloseTo(n * frameS, 4);
    expect(Buffer.from(data)).toEqual(Buffer.from(toneFrames[n % toneFrames.length] ?? []));
  }
});

test('also copies other kinds of AAC when nothing encodes AAC', async () => {
  const { source, write } = await openSound(tone, { format: 'aac', isPlain: false });
  expect(await mp4Of(source, () => write(frameS * 3.5))).toHaveLength(4);
});

test('refuses what is not a sound', async () => {
  const nonsense = new Uint8Array(5000).fill(7);
  await expect(openSound(nonsense, { format: 'mp3', isPlain: false })).rejects.toThrow();
  await expect(openSound(new Uint8Array(0), { format: 'aac', isPlain: true })).rejects.toThrow();
});
