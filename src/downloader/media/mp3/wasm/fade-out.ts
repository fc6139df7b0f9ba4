import type { FadeOut } from '../../contracts.ts';

/**
 * Lets samples become silent where a sound fades out, evenly from full to nothing; what follows is silence.
 * @returns changes the samples of both channels in their place; to be given all of them in order
 */
export function fadeOut(
  fade: FadeOut | null,
  sampleRate: number,
): (left: Float32Array, right: Float32Array) => void {
  if (fade === null) return () => {};
  const start = fade.startS * sampleRate;
  const length = Math.max(1, fade.lengthS * sampleRate);
  let at = 0;
  return (left, right) => {
    const count = left.length;
    for (let n = Math.max(0, Math.ceil(start - at)); n < count; n++) {
      const gain = Math.max(0, 1 - (at + n - start) / length);
      left[n] = (left[n] ?? 0) * gain;
      if (right.length > 0) right[n] = (right[n] ?? 0) * gain;
    }
    at += count;
  };
}
