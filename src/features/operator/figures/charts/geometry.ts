import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale';
import { area, line, stack } from 'd3-shape';
import { plotHeight, plotWidth } from './plot.ts';

/** A mark at an axis; its place in hundredths of the axis. */
export interface Tick {
  readonly place: number;
  readonly label: string;
}

/** What a chart over time is drawn from. Times are milliseconds since 1970. */
export interface TimeChart {
  readonly bars: readonly {
    readonly key: string;
    readonly series: number;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
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

/** Marks of a span of time. */
function timeTicks(from: number, to: number): readonly Tick[] {
  const scale = scaleUtc().domain([from, to]).range([0, 100]);
  return scale
    .ticks(fewTicks)
    .map((time) => ({ place: Number(scale(time).toFixed(2)), label: timeLabel(time, to - from) }))
    .filter(({ place }) => place >= 2 && place <= 96);
}

/**
 * Bars over time, several series on each other.
 * @param values of each moment, one for each series
 * @param stepMs from one moment to the next
 */
export function stackedBars(
  values: readonly { readonly at: number; readonly totals: readonly number[] }[],
  stepMs: number,
): TimeChart {
  const first = values[0]?.at ?? 0;
  const last = values.at(-1)?.at ?? first;
  const most = Math.max(1, ...values.map(({ totals }) => totals.reduce((sum, total) => sum + total, 0)));
  const y = scaleLinear().domain([0, most]).nice(fewTicks).range([plotHeight, 0]);
  const x = scaleBand<number>()
    .domain(values.map(({ at }) => at))
    .range([0, plotWidth])
    .paddingInner(values.length > 60 ? 0.1 : 0.2);
  const series = [...(values[0]?.totals ?? []).keys()];
  const layers = stack<(typeof values)[number], number>()
    .keys(series)
    .value(({ totals }, key) => totals[key] ?? 0)([...values]);
  const round = (value: number) => Number(value.toFixed(2));
  return {
    bars: layers.flatMap((layer) =>
      layer.flatMap(([bottom, top], index) => {
        const at = values[index]?.at ?? 0;
        if (top <= bottom) return [];
        return [
          {
            key: `${layer.key} ${at}`,
            series: layer.key,
            x: round(x(at) ?? 0),
            y: round(y(top)),
            width: round(x.bandwidth()),
            height: round(y(bottom) - y(top)),
          },
        ];
      }),
    ),
    xTicks: timeTicks(first, last + stepMs),
    yTicks: y
      .ticks(fewTicks)
      .filter((tick) => tick > 0 && Number.isInteger(tick))
      .map((tick) => ({ place: Number(y(tick).toFixed(2)), label: compact.format(tick) })),
  };
}

/** A share over time, as the paths of its line and of what is below it; moments without a share are gaps. */
export interface ShareChart {
  readonly line: string;
  readonly area: string;
  readonly xTicks: readonly Tick[];
}

/** @param shares 0 to 1, or null where nothing is known */
export function shareLine(
  shares: readonly { readonly at: number; readonly share: number | null }[],
  stepMs: number,
): ShareChart {
  const first = shares[0]?.at ?? 0;
  const last = shares.at(-1)?.at ?? first;
  const x = scaleLinear()
    .domain([first, last + stepMs])
    .range([0, plotWidth]);
  const y = scaleLinear().domain([0, 1]).range([plotHeight, 0]);
  type Point = { readonly at: number; readonly share: number | null };
  // A share holds for its whole hour: one alone is a line too.
  const points: Point[] = shares.flatMap(({ at, share }) => [
    { at, share },
    { at: at + stepMs, share },
  ]);
  const defined = ({ share }: Point) => share !== null;
  const xOf = ({ at }: Point) => x(at);
  const yOf = ({ share }: Point) => y(share ?? 0);
  const drawnLine = line<Point>().defined(defined).x(xOf).y(yOf).digits(1);
  const drawnArea = area<Point>().defined(defined).x(xOf).y0(plotHeight).y1(yOf).digits(1);
  return {
    line: drawnLine(points) ?? '',
    area: drawnArea(points) ?? '',
    xTicks: timeTicks(first, last + stepMs),
  };
}
