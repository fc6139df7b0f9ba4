import { startJourney } from '../../tests/support/journey.ts';
import type { PlatformProcess } from '../../tests/support/platform.ts';
import { childrenEnded, cpuMs } from './process-cost.ts';

/** The clip that is converted, and its length. */
export const convertedPost = 'long-60s';

/** The cost of one conversion. */
export interface ConversionCost {
  /** Until the first byte, and the whole file, in ms. */
  readonly firstMs: number;
  readonly wholeMs: number;
  /** CPU of the product and its encoder. */
  readonly cpuMs: number;
  /** Bytes that the platform sent for it, cover included. */
  readonly fetched: number;
  /** Bytes of the finished file. */
  readonly bytes: number;
}

/** Converts the clip several times, each time by a fresh product. */
export async function measureConversions(
  platform: PlatformProcess,
  format: 'mp3' | 'm4a',
  rounds: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ConversionCost[]> {
  const measured: ConversionCost[] = [];
  for (let round = 0; round < rounds; round++) {
    // A fresh product has no stored files of the previous round. Another clip first: that loads the codecs.
    const fresh = await startJourney({ platform, env });
    await (await fresh.get(await fresh.href('moov-last', format))).arrayBuffer();
    const href = await fresh.href(convertedPost, format);
    await platform.reset();
    const cpuBefore = cpuMs(fresh.product.pid);
    const started = performance.now();
    const response = await fresh.get(href);
    const reader = response.body?.getReader();
    let part = await reader?.read();
    const firstMs = performance.now() - started;
    let bytes = 0;
    for (; part && !part.done; part = await reader?.read()) bytes += part.value.length;
    const wholeMs = performance.now() - started;
    // An encoder process's CPU time is counted when it has ended.
    await childrenEnded(fresh.product.pid);
    const stats = await platform.stats();
    measured.push({
      firstMs,
      wholeMs,
      cpuMs: cpuMs(fresh.product.pid) - cpuBefore,
      fetched: stats.byPost[convertedPost]?.bytesSent ?? 0,
      bytes,
    });
    await fresh.stop();
  }
  return measured;
}
