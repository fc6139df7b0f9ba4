import type { ShareChart } from './geometry.ts';
import { plotHeight, plotWidth } from './plot.ts';
import { TimeMarks } from './time-marks.tsx';

const height = 56;

/** A share over time, small: the line at its top is 100 %. @param label what a screen reader says instead */
export function ShareLine({ chart, label }: { chart: ShareChart; label: string }) {
  return (
    <svg className="chart-share" width="100%" height={height + 18} role="img" aria-label={label}>
      <title>{label}</title>
      <line className="chart-line" x1="0" x2="100%" y1="0.5" y2="0.5" />
      <svg
        x="0"
        y="1"
        width="100%"
        height={height - 1}
        viewBox={`0 0 ${plotWidth} ${plotHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="chart-share-area" d={chart.area} />
        <path className="chart-share-line" d={chart.line} vectorEffect="non-scaling-stroke" />
      </svg>
      <line className="chart-base" x1="0" x2="100%" y1={height} y2={height} />
      <TimeMarks ticks={chart.xTicks} y={height + 14} />
    </svg>
  );
}
