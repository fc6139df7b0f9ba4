import { Failure } from '../../../../failures/failures.ts';

/**
 * More than half of the frames must have been sound: FAAD2 makes nothing of nonsense and goes on.
 * @throws Failure `conversion_failed`
 */
export function requireSound({ frames, decoded }: { frames: number; decoded: number }): void {
  if (decoded === 0 || decoded < frames / 2 - 1) {
    throw new Failure('conversion_failed', { note: `${decoded} of ${frames} frames could be decoded` });
  }
}
