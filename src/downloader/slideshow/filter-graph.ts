import { fadingRate, restingStep, type SlideTiming } from './timing.ts';

/** ffmpeg's own words for a number, without an exponent. */
const number = (value: number) => value.toFixed(4);

/**
 * The filter graph of a slideshow, whose input is each picture once and the last one twice. Every picture becomes two
 * moments, the first and the last at which it is fully visible, and `framerate` blends between them. It holds two
 * pictures at a time, however many there are.
 * @param count number of different pictures
 */
export function filterGraph(count: number, { durationS, eachS, fadeS }: SlideTiming): string {
  const [all, each, half] = [durationS, eachS, fadeS / 2].map(number);
  const last = 2 * count - 1;
  const begins = `if(N,floor(N/2)*${each}+${half},0)`;
  const ends = `(N+1)/2*${each}-${half}`;
  // An invisible picture follows the last moment, so that the filters see the end of the one before.
  const moments = `if(gte(N,${last}),${all}+N-${last},if(mod(N,2),${ends},${begins}))`;
  const margin = number(fadeS / 2 + 1 / fadingRate);
  const sinceCut = `abs(mod(t+${each}/2,${each})-${each}/2)`;
  const isLast = `gt(t,${number(durationS - 1.5 / fadingRate)})`;
  return [
    'scale=in_color_matrix=bt601:out_color_matrix=bt709:in_range=pc:out_range=tv',
    'format=yuv420p',
    'fps=2',
    'settb=1/90000',
    `setpts='(${moments})/TB'`,
    `framerate=fps=${fadingRate}:interp_start=0:interp_end=255:flags=0`,
    `trim=end=${all}`,
    `select='lt(${sinceCut},${margin})+not(mod(n,${restingStep}))+${isLast}'`,
  ].join(',');
}
