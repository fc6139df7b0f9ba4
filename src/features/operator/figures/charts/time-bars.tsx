import { Bars, fullHeight, markAt } from './bars.tsx';
import type { TimeChart } from './geometry.ts';
import { NumberTable } from './number-table.tsx';

const height = 150;

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
  /** The table's rows, the newest first. */
  rows: readonly (readonly string[])[];
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
          <svg className="chart-axis" width="36" height={fullHeight(height)} aria-hidden="true">
            {chart.yTicks.map(({ place, label }) => (
              <text key={place} className="chart-mark" x="32" y={markAt(place, height) + 4} textAnchor="end">
                {label}
              </text>
            ))}
          </svg>
          <Bars chart={chart} height={height} label={props.label} />
        </div>
        <NumberTable title={props.title} head={[props.unit, ...series]} rows={props.rows} />
      </div>
    </figure>
  );
}

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
