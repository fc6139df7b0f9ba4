import type { ReactNode } from 'react';
import type { TimeChart } from './geometry.ts';
import { NumberTable } from './number-table.tsx';
import { plotHeight, plotWidth } from './plot.ts';
import { TimeMarks } from './time-marks.tsx';

const top = 6;
const height = 150;
const fullHeight = top + height + 22;

/** Where a mark stands. @param place in hundredths of the plot */
const yOf = (place: number) => top + (place / 100) * height;

/**
 * Bars over time, with their numbers in a table beside.
 * @param label what a screen reader says in the place of the picture
 */
export function TimeBars(props: {
  title: string;
  label: string;
  chart: TimeChart;
  /** Names of the series, the lowest first. */
  series: readonly string[];
  /** Of the table, the newest first. */
  rows: readonly (readonly [ReactNode, ...(readonly (string | number)[])])[];
  unit: string;
}) {
  const { chart, series } = props;
  return (
    <figure className="chart">
      <figcaption>
        <h3>{props.title}</h3>
        <Legend series={series} />
      </figcaption>
      <div className="chart-beside">
        <div className="chart-axes">
          <svg className="chart-axis" width="36" height={fullHeight} aria-hidden="true">
            {chart.yTicks.map(({ place, label }) => (
              <text key={place} className="chart-mark" x="32" y={yOf(place) + 4} textAnchor="end">
                {label}
              </text>
            ))}
          </svg>
          <svg className="chart-plot" width="100%" height={fullHeight} role="img" aria-label={props.label}>
            <title>{props.label}</title>
            {chart.yTicks.map(({ place }) => (
              <line key={place} className="chart-line" x1="0" x2="100%" y1={yOf(place)} y2={yOf(place)} />
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
              {series.map((name, number) => (
                <path key={name} data-series={number} d={pathOf(chart, number)} />
              ))}
            </svg>
            <line className="chart-base" x1="0" x2="100%" y1={top + height} y2={top + height} />
            <TimeMarks ticks={chart.xTicks} y={top + height + 16} />
          </svg>
        </div>
        <NumberTable caption={props.title} head={[props.unit, ...series]} rows={props.rows} />
      </div>
    </figure>
  );
}

/** All bars of a series as one path: a year has hundreds of them. */
const pathOf = ({ bars }: TimeChart, number: number) =>
  bars
    .filter(({ series }) => series === number)
    .map(({ x, y, width, height: tall }) => `M${x},${y}h${width}v${tall}h-${width}z`)
    .join('');

/** Names of series beside their colours; none for one alone. */
function Legend({ series }: { series: readonly string[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="chart-legend">
      {series.map((name, number) => (
        <li key={name}>
          <svg width="12" height="12" aria-hidden="true">
            <rect data-series={number} width="12" height="12" rx="2" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
