import type { Core } from '../../server/feature.ts';
import { countEvents } from '../../server/metrics/tally.ts';
import { createRecentCounts } from '../../server/tally/recent-counts.ts';
import { openTally } from '../../stores/tally/tally.ts';
import { features } from '../features.ts';

/** Opens the tally, with the sums that features read. */
export async function assembleCounting({
  environment,
  configuration,
  database: { query },
  metrics,
  logger,
}: Pick<Core, 'environment' | 'configuration' | 'database' | 'metrics' | 'logger'>) {
  const audiences = features.flatMap(({ audience }) => audience?.({ environment, configuration }) ?? []);
  const recent = createRecentCounts(() => performance.now());
  const events = countEvents(metrics);
  const tally = openTally({
    ...{ query, logger, audiences, onFull: events.onFull },
    observe(subject, name, detail, times) {
      events.observe(subject, name, detail, times);
      if (subject === 'outcome' || subject === 'link') recent.add(name, detail === 'failed');
    },
  });
  const egresses = new Map(environment.OUTBOUND_PROXIES?.map(({ id, label }) => [id, label]));
  // Null where no feature reads the operator's sums.
  const watch = audiences.includes('operator')
    ? (await import('../../server/tally/instance-watch.ts')).watchInstance({
        query,
        tally,
        logger,
        recent,
        egresses,
      })
    : null;
  return { tally, recent, watch };
}
