import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale';
import { dayMs, startOf } from '../../../stores/tally/units.ts';

/** A plot's own units: it is stretched to its place, whatever the screen. */
export const plotWidth = 1000;
export const plotHeight = 100;

const fewTicks = 4;

const formats = {
  hour: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: '2-digit', timeZone: 'UTC' }),
};

/** Words for a moment, as precise as a span needs it. */
function timeLabel(time: Date, spanMs: number): string {
  if (spanMs <= 2 * dayMs) return formats.hour.format(time);
  return (spanMs > 120 * dayMs ? formats.month : formats.day).format(time);
}

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

/** Marks of a span of time; their places are hundredths of the axis. */
function timeTicks(from: number, to: number) {
  const scale = scaleUtc().domain([from, to]).range([0, 100]);
  return scale
    .ticks(fewTicks)
    .map((time) => ({ place: Number(scale(time).toFixed(2)), label: timeLabel(time, to - from) }))
    .filter(({ place }) => place >= 2 && place <= 96);
}

/** The shapes of a chart over time. Times are milliseconds since 1970. */
export type TimeChart = ReturnType<typeof stackedBars>;

/**
 * Bars over time, several series on each other.
 * @param values of each moment, one for each series
 * @param stepMs from one moment to the next
 * @param top the value at the upper edge; left out, above the highest bar
 */
export function stackedBars(
  values: readonly { readonly at: number; readonly totals: readonly number[] }[],
  stepMs: number,
  top?: number,
) {
  const first = values[0]?.at ?? 0;
  const last = values.at(-1)?.at ?? first;
  const most = Math.max(1, ...values.map(({ totals }) => totals.reduce((sum, total) => sum + total, 0)));
  const y = scaleLinear().domain([0, most]).nice(fewTicks).range([plotHeight, 0]);
  if (top !== undefined) y.domain([0, top]);
  const x = scaleBand<number>()
    .domain(values.map(({ at }) => at))
    .range([0, plotWidth])
    .paddingInner(values.length > 60 ? 0.1 : 0.2);
  const round = (value: number) => Number(value.toFixed(2));
  return {
    bars: values.flatMap(({ at, totals }) => {
      let below = 0;
      return totals.flatMap((total, series) => {
        const bottom = below;
        below += total;
        if (total <= 0) return [];
        return [
          {
            key: `${series} ${at}`,
            series,
            x: round(x(at) ?? 0),
            y: round(y(below)),
            width: round(x.bandwidth()),
            height: round(y(bottom) - y(below)),
          },
        ];
      });
    }),
    xTicks: timeTicks(first, last + stepMs),
    yTicks: y
      .ticks(fewTicks)
      .filter((tick) => tick > 0 && Number.isInteger(tick))
      .map((tick) => ({ place: Number(y(tick).toFixed(2)), label: compact.format(tick) })),
  };
}

/** What was counted in an hour or a day, and the part of it that is told apart. */
interface Counted {
  readonly at: number;
  readonly total: number;
  readonly part: number;
}

/**
 * Moments one after the other, empty ones too.
 * @param totals one for each series
 */
export const everyMoment = (
  rows: readonly Counted[],
  unit: 'hour' | 'day',
  first: number,
  last: number,
  totals: (row: Omit<Counted, 'at'>) => readonly number[],
) => {
  const byTime = new Map(rows.map((row) => [row.at, row]));
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    at: startOf(unit, first + index),
    totals: totals(byTime.get(first + index) ?? { total: 0, part: 0 }),
  }));
};
