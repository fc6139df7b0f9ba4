import { plotHeight, plotWidth, type TimeChart } from './geometry.ts';

const top = 6;
const marksHeight = 22;

/** Height of a plot with its marks, in px. @param height of its bars */
export const fullHeight = (height: number) => top + height + marksHeight;

/** The distance of a mark from the top, in px. @param place in hundredths of the plot */
export const markAt = (place: number, height: number) => top + (place / 100) * height;

/**
 * Bars over time.
 * @param height of the bars, in px
 * @param label what a screen reader says in the place of the picture
 */
export function Bars(props: { chart: TimeChart; height: number; label: string }) {
  const { chart, height, label } = props;
  const base = top + height;
  const series = [...new Set(chart.bars.map((bar) => bar.series))];
  return (
    <svg className="chart-plot" width="100%" height={fullHeight(height)} role="img" aria-label={label}>
      <title>{label}</title>
      {chart.yTicks.map(({ place }) => (
        <line
          key={place}
          className="chart-line"
          x1="0"
          x2="100%"
          y1={markAt(place, height)}
          y2={markAt(place, height)}
        />
      ))}
      <svg
        x="0"
        y={top}
        width="100%"
        height={height}
        viewBox={`0 0 ${plotWidth} ${plotHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map((number) => (
          <path key={number} data-series={number} d={pathOf(chart, number)} />
        ))}
      </svg>
      <line className="chart-base" x1="0" x2="100%" y1={base} y2={base} />
      {chart.xTicks.map(({ place, label: time }) => (
        <text
          key={place}
          className="chart-mark"
          x={`${place}%`}
          y={base + 16}
          // Labels near the ends stay inside.
          textAnchor={place > 88 ? 'end' : place < 8 ? 'start' : 'middle'}
        >
          {time}
        </text>
      ))}
    </svg>
  );
}

/** All bars of a series as one path: a year has hundreds of them. */
const pathOf = ({ bars }: TimeChart, number: number) =>
  bars
    .filter(({ series }) => series === number)
    .map(({ x, y, width, height: tall }) => `M${x},${y}h${width}v${tall}h-${width}z`)
    .join('');
