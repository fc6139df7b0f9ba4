import type { Tick } from './geometry.ts';

/** Marks along the axis of time; those near its ends stay inside. */
export function TimeMarks({ ticks, y }: { ticks: readonly Tick[]; y: number }) {
  return (
    <>
      {ticks.map(({ place, label }) => (
        <text
          key={place}
          className="chart-mark"
          x={`${place}%`}
          y={y}
          textAnchor={place > 88 ? 'end' : place < 8 ? 'start' : 'middle'}
        >
          {label}
        </text>
      ))}
    </>
  );
}
