import { Counter, type Registry } from 'prom-client';
import type { Subject } from '../../stores/tally/subjects.ts';

/** Metrics of what is counted in the tally as well; their labels are its name and its detail. */
const counters = {
  download: {
    name: 'clipferry_downloads_total',
    help: 'Files of visitors who count, by format and outcome.',
    labelNames: ['format', 'outcome'],
  },
  outcome: {
    name: 'clipferry_counted_total',
    help: 'Events that count in the status of the site and alarms, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
  },
  uncounted: {
    name: 'clipferry_uncounted_total',
    help: 'Events that do not count in the status of the site, alarms and sums, by kind and reason.',
    labelNames: ['kind', 'reason'],
  },
  api_key: {
    name: 'clipferry_api_key_requests_total',
    help: 'Requests that came with an API key, by the name of the key.',
    labelNames: ['name'],
  },
  refused: {
    name: 'clipferry_rows_refused_total',
    help: 'Rows that visitors wanted to leave and for which there was no room in this hour or day, by table.',
    labelNames: ['table'],
  },
  shape: {
    name: 'clipferry_new_shapes_total',
    help: 'Answers of the platform in a form that is new, by strategy and form.',
    labelNames: ['strategy', 'shape'],
  },
} as const satisfies Partial<Record<Subject, object>>;

/** Makes metrics of events of the tally, and of those that it drops. */
export function countEvents(metrics: Registry): {
  observe(subject: Subject, name: string, detail: string, times: number): void;
  onFull(): void;
} {
  const registers = [metrics];
  const bySubject = new Map(
    Object.entries(counters).map(([subject, options]) => [
      subject,
      { counter: new Counter({ ...options, registers }), labels: options.labelNames },
    ]),
  );
  const dropped = new Counter({
    name: 'clipferry_figures_dropped_total',
    help: 'Events that were not counted, because too many different ones wait for the database.',
    registers,
  });
  return {
    observe(subject, name, detail, times) {
      const found = bySubject.get(subject);
      if (found === undefined) return;
      const [first, second] = found.labels;
      found.counter.inc({ [first]: name, ...(second !== undefined && { [second]: detail }) }, times);
    },
    onFull: () => dropped.inc(),
  };
}
