import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMb } from '../../bench/support/process-cost.ts';
import { DAMAGES, type DamageName } from '../../doubles/tiktok/clips/damage.ts';
import { sample } from '../support/audit/scope.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';

/**
 * The outcome for the sound. `whole`: the damage is outside the sound's boxes. `broken`: undecodable frames show only
 * during decoding, and the connection breaks.
 */
type Outcome = 'whole' | 'media_invalid' | 'broken';

const outcomes: Record<DamageName, readonly [mp3: Outcome, m4a: Outcome]> = {
  'cut-in-half': ['media_invalid', 'media_invalid'],
  'cut-in-moov': ['media_invalid', 'media_invalid'],
  'no-moov': ['media_invalid', 'media_invalid'],
  'sample-count-huge': ['whole', 'whole'],
  'chunk-count-huge': ['whole', 'whole'],
  'time-entry-huge': ['whole', 'whole'],
  'sample-size-huge': ['whole', 'whole'],
  'moov-claims-4-gb': ['media_invalid', 'media_invalid'],
  'track-claims-4-gb': ['media_invalid', 'media_invalid'],
  'moov-size-zero': ['whole', 'whole'],
  'box-size-zero': ['whole', 'whole'],
  'box-size-four': ['whole', 'whole'],
  'box-size-negative': ['media_invalid', 'media_invalid'],
  'chunk-beyond-the-end': ['media_invalid', 'media_invalid'],
  'chunks-run-loops': ['whole', 'whole'],
  'chunk-of-billions': ['broken', 'whole'],
  'timescale-zero': ['media_invalid', 'media_invalid'],
  'nested-deep': ['media_invalid', 'media_invalid'],
  'tracks-by-thousands': ['media_invalid', 'media_invalid'],
};

/** One of each pair of outcomes, and one that claims more bytes than there are. */
const usual: readonly DamageName[] = [
  'cut-in-half',
  'sample-count-huge',
  'moov-claims-4-gb',
  'chunk-of-billions',
];
const names = sample(Object.keys(DAMAGES) as DamageName[], (name) => usual.includes(name));
const limitMs = 10_000;

const encoders = [
  ['the usual encoder', process.env.PATH ?? ''],
  ['WebAssembly', '/nowhere'],
] as const;

describe.each(sample(encoders, ([, path]) => path !== '/nowhere'))('a damaged file, with %s,', (_, PATH) => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ env: { PATH, CONVERSIONS: '2' } });
  });
  afterAll(() => journey.stop());

  async function requestFile(name: string, option: string): Promise<Response> {
    return journey.get(await journey.href(name, option), { signal: AbortSignal.timeout(limitMs) });
  }

  async function outcomeOf(response: Response): Promise<{ outcome: string; bytes: Buffer }> {
    if (response.status !== 200) {
      const { code, error } = (await response.json()) as { code: number; error: { key: string } };
      expect(code).toBe(502);
      return { outcome: error.key, bytes: Buffer.alloc(0) };
    }
    const length = Number(response.headers.get('content-length'));
    const bytes = await response.arrayBuffer().then(Buffer.from, () => null);
    if (bytes === null) return { outcome: 'broken', bytes: Buffer.alloc(0) };
    expect(bytes).toHaveLength(length);
    return { outcome: 'whole', bytes };
  }

  test.each(names)('%s is passed through as mp4, byte for byte', async (damage) => {
    const { bytes } = await outcomeOf(await requestFile(`damaged-${damage}`, 'mp4'));
    expect(bytes.equals(originalVideo(`damaged-${damage}`))).toBe(true);
  });

  test.each(names)('%s as mp3 is the whole sound or an error, in time', async (damage) => {
    const { outcome, bytes } = await outcomeOf(await requestFile(`damaged-${damage}`, 'mp3'));
    expect(outcome).toBe(outcomes[damage][0]);
    if (outcome === 'whole') expect(Math.abs(readMp3(bytes).durationS - 4)).toBeLessThan(0.15);
  });

  test.each(names)('%s as m4a is the whole sound or an error, in time', async (damage) => {
    const { outcome, bytes } = await outcomeOf(await requestFile(`damaged-${damage}`, 'm4a'));
    expect(outcome).toBe(outcomes[damage][1]);
    // About four seconds of 192 kbit/s: neither empty nor anything like the claimed length.
    if (outcome === 'whole') expect(Math.abs(bytes.length - 97_500)).toBeLessThan(2000);
  });

  test('leaves the product unharmed', async () => {
    expect(memoryMb(journey.product.pid)).toBeLessThan(500);
    expect((await requestFile('ordinary', 'mp3')).status).toBe(200);
    expect(journey.product.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
