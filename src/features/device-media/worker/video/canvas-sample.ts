import { VideoSample } from 'mediabunny';

/** The colours of HD video in limited range (ITU-R BT.709), which old players take every picture for. */
const colorSpace = {
  primaries: 'bt709',
  transfer: 'bt709',
  matrix: 'bt709',
  fullRange: false,
} as const satisfies VideoColorSpaceInit;

/** @throws Error where the browser has no canvas any more */
export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  return context;
}

/** What a canvas shows, for an encoder: given the canvas itself, browsers encode in full range. Times are in seconds. */
export function sampleOf(
  context: OffscreenCanvasRenderingContext2D,
  { timestamp, duration }: Pick<VideoSample, 'timestamp' | 'duration'>,
): VideoSample {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  const shape = { format: 'RGBX', codedWidth: width, codedHeight: height } as const;
  return new VideoSample(data, { ...shape, colorSpace, timestamp, duration });
}
