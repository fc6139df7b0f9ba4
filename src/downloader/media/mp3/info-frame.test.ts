import { afterEach, expect, it, vi } from 'vitest';
import { soundOf, toneAdts, toneFrames } from '../testing/tone.ts';
import { bitrates, mp3Layout } from './layout.ts';

afterEach(() => {
  vi.doUnmock('./layout.ts');
  vi.resetModules();
});

it.each(bitrates)('writes %i kbit/s in one byte', async (kilobitsPerSecond) => {
  vi.resetModules();
  vi.doMock('./layout.ts', async (importOriginal) => ({
    ...(await importOriginal<typeof import('./layout.ts')>()),
    mp3Bitrate: kilobitsPerSecond * 1000,
  }));
  const { infoFrame } = await import('./info-frame.ts');
  const frame = Buffer.from(infoFrame(mp3Layout(soundOf([toneAdts], toneFrames.length))));
  expect(frame[frame.indexOf('LAME3.100') + 20]).toBe(Math.min(255, kilobitsPerSecond));
});
