import { Failure } from '../../failures/failures.ts';
import type { MediaFlow } from '../network/contracts.ts';

/**
 * Reads a flow until so many bytes are present, then holds it: its next reader begins with these bytes.
 * @param limitMs they come with the head of the response, or something is wrong
 * @returns fewer bytes when the file ends
 * @throws Failure `platform_timeout`, or the connection's error
 */
export function firstBytes(flow: MediaFlow, wanted: number, limitMs: number): Promise<Buffer[]> {
  let limit: NodeJS.Timeout | undefined;
  const found = new Promise<Buffer[]>((resolve, reject) => {
    const held: Buffer[] = [];
    let bytes = 0;
    limit = setTimeout(
      () => reject(new Failure('platform_timeout', { note: 'the first bytes came too slowly' })),
      limitMs,
    );
    flow.connect({
      data: (chunk) => {
        held.push(chunk);
        bytes += chunk.length;
        if (bytes < wanted) return true;
        resolve(held);
        return false;
      },
      end: () => resolve(held),
      fail: reject,
    });
  });
  return found.finally(() => clearTimeout(limit));
}
