/** Bars of a waveform. */
export const barCount = 160;
/** Sufficient for a waveform, and small in memory. */
const sampleRate = 8000;
/** Limit in seconds: a longer decoded sound needs more memory than a phone can spare. */
const maxDecodedS = 600;

export interface Waveform {
  /** The loudness of each bar, 0 to 1. */
  readonly peaks: readonly number[];
  readonly lengthMs: number;
}

/**
 * Makes a waveform from a sound.
 * @param durationS the length, as far as known in advance
 * @returns null when the sound is unavailable or cannot be decoded here
 */
export async function readWaveform(
  href: string,
  durationS: number,
  signal: AbortSignal,
): Promise<Waveform | null> {
  if (durationS > maxDecodedS) return null;
  const response = await fetch(href, { signal });
  if (!response.ok) return null;
  const bytes = await response.arrayBuffer();
  try {
    const decoded = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(bytes);
    return { peaks: peaksOf(decoded.getChannelData(0)), lengthMs: Math.floor(decoded.duration * 1000) };
  } catch (error) {
    // An AAC decoder is not part of every browser.
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    throw error;
  }
}

/** The loudest sample of each bar, against the loudest of all. */
function peaksOf(samples: Float32Array): number[] {
  const peaks = Array.from({ length: barCount }, (_, bar) => {
    const [start, end] = [bar, bar + 1].map((at) => Math.floor((at * samples.length) / barCount));
    return samples.subarray(start, end).reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  });
  const loudest = Math.max(...peaks, 1e-3);
  return peaks.map((peak) => peak / loudest);
}
