/**
 * CPU and wall time of both mp3 encoders on a 60 s clip, as ratios against `ffmpeg -i clip.mp4 -vn -b:a 128k` in the same
 * run. Linux with ffmpeg only: `node bench/mp3-encoders.ts [runs]`.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Mp3Encoder } from '../src/downloader/media/contracts.ts';
import { FfmpegEncoder } from '../src/downloader/media/mp3/ffmpeg-encoder.ts';
import { findFfmpeg } from '../src/downloader/media/mp3/find-ffmpeg.ts';
import { fitMp3, mp3Length } from '../src/downloader/media/mp3/fit.ts';
import { WasmEncoder } from '../src/downloader/media/mp3/wasm-encoder.ts';
import { readMovie } from '../src/downloader/media/mp4/read-movie.ts';
import { readSound } from '../src/downloader/media/read-sound.ts';
import { planSound } from '../src/downloader/media/sound-plan.ts';
import { BufferSource } from '../src/downloader/media/testing/buffer-source.ts';
import { toneAdts } from '../src/downloader/media/testing/tone.ts';

const run = promisify(execFile);
const runs = Number(process.argv[2] ?? 5);
const { signal } = new AbortController();
const found = await findFfmpeg(undefined, process.env.PATH ?? '', signal);
if (found === null) throw new Error('needs ffmpeg on the PATH');
const folder = await mkdtemp(path.join(tmpdir(), 'mp3-encoders-'));

/** CPU ms of this process, its threads and the children that it has waited for. The kernel counts in hundredths. */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ').slice(11, 15) ?? [];
  return fields.reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

interface Figures {
  readonly cpu: number;
  readonly wall: number;
  readonly first: number;
}

async function measure(work: (first: () => void) => Promise<void>): Promise<Figures> {
  const started = performance.now();
  const cpuBefore = cpuMs();
  let first = Number.NaN;
  await work(() => {
    if (Number.isNaN(first)) first = performance.now() - started;
  });
  return { cpu: cpuMs() - cpuBefore, wall: performance.now() - started, first };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  const sound = path.join(folder, 'tone.aac');
  const clip = path.join(folder, 'clip.mp4');
  await writeFile(sound, Buffer.concat(Array<Buffer>(24).fill(toneAdts)));
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=720x1280:rate=30:duration=60'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '1500k', '-c:a', 'copy', '-shortest'];
  await run(found.ffmpegPath, [
    '-v',
    'error',
    ...picture,
    '-i',
    sound,
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...video,
    clip,
  ]);
  const bytes = await readFile(clip);
  const wasm = new WasmEncoder({ workers: 1 });
  await wasm.warm();

  const encode = (encoder: Mp3Encoder, fast: boolean) => async (first: () => void) => {
    const source = new BufferSource(bytes);
    const movie = await readMovie(source, signal);
    const adts = readSound(source, movie, planSound(movie), { signal });
    let length = 0;
    for await (const chunk of fitMp3(encoder.encode({ sound: adts, fast, signal }), adts)) {
      // The header frame leaves with the encoder's first bytes.
      first();
      length += chunk.length;
    }
    if (length !== mp3Length(adts)) throw new Error(`${length} bytes instead of ${mp3Length(adts)}`);
  };
  const ffmpeg = new FfmpegEncoder(found);
  const mp3 = path.join(folder, 'clip.mp3');
  const ways: [string, (first: () => void) => Promise<void>][] = [
    [
      'baseline: ffmpeg -i clip.mp4 -vn -b:a 128k',
      async () =>
        void (await run(found.ffmpegPath, ['-v', 'error', '-y', '-i', clip, '-vn', '-b:a', '128k', mp3])),
    ],
    ['ffmpeg encoder', encode(ffmpeg, false)],
    ['ffmpeg encoder, fast', encode(ffmpeg, true)],
    ['wasm encoder', encode(wasm, false)],
  ];
  const figures = new Map<string, Figures[]>(ways.map(([name]) => [name, []]));
  for (let n = 0; n <= runs; n++) {
    for (const [name, work] of ways) {
      const result = await measure(work);
      // The first round warms caches and compilers.
      if (n > 0) figures.get(name)?.push(result);
    }
  }
  const baseline = figures.get(ways[0]?.[0] ?? '') ?? [];
  const table = [...figures].map(([name, results]) => {
    const pick = (key: keyof Figures) => median(results.map((result) => result[key]));
    return {
      way: name,
      'CPU ms': pick('cpu'),
      'CPU ratio': (pick('cpu') / median(baseline.map(({ cpu }) => cpu))).toFixed(2),
      'wall ms': Math.round(pick('wall')),
      'wall ratio': (pick('wall') / median(baseline.map(({ wall }) => wall))).toFixed(2),
      'first byte ms': Math.round(pick('first')),
    };
  });
  console.table(table);
  await wasm.close();
} finally {
  await rm(folder, { recursive: true });
}
