import { Failure } from '../../failures/failures.ts';
import type { ByteReader } from '../network/contracts.ts';

/**
 * Reads until so many bytes are present; the next reader goes on behind them.
 * @param limitMs they come with the head of the response, or something is wrong
 * @returns fewer bytes when the file ends
 * @throws Failure `platform_timeout`, or the connection's error
 */
export async function firstBytes(flow: ByteReader, wanted: number, limitMs: number): Promise<Buffer[]> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => late.reject(new Failure('platform_timeout', { note: 'the first bytes came too slowly' })),
    limitMs,
  );
  try {
    const held: Buffer[] = [];
    for (let bytes = 0; bytes < wanted; ) {
      const chunk = await Promise.race([flow.next(), late.promise]);
      if (chunk === null) break;
      held.push(chunk);
      bytes += chunk.length;
    }
    return held;
  } finally {
    clearTimeout(limit);
  }
}
