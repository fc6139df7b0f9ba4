import { Gauge, type Registry } from 'prom-client';
import { startPoller } from '../../process/periodic.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { ObjectStore } from '../../stores/contracts/object-store.ts';
import type { SharedRedis } from '../../stores/open/redis.ts';

/** Shows whether a server answers, read at each scrape. */
function showUp(metrics: Registry, name: string, help: string, isAway: () => boolean): void {
  new Gauge({
    ...{ name, help, registers: [metrics] },
    collect() {
      this.set(isAway() ? 0 : 1);
    },
  });
}

/** Whether the database answers, asked every second. What needs the database logs why it does not. */
export function watchDatabase({ query }: Pick<Database, 'query'>, metrics: Registry) {
  let isAway = false;
  const close = startPoller(
    async () => {
      // A statement without a table would not reach SQLite's file.
      await query.selectFrom('leases').select('name').limit(1).execute();
      isAway = false;
    },
    () => {
      isAway = true;
    },
  );
  showUp(
    metrics,
    'clipferry_database_up',
    'Whether the database answers: 1 yes, 0 no, and the instance serves downloads and cached pages only.',
    () => isAway,
  );
  return { isAway: () => isAway, close };
}

/** Reports whether the servers that this process was given respond; for each that it has. */
export function reportReachability(
  metrics: Registry,
  { redis, objects }: { readonly redis: SharedRedis | null; readonly objects: ObjectStore | null },
): void {
  if (redis !== null)
    showUp(
      metrics,
      'clipferry_redis_up',
      'Whether Redis answers: 1 yes, 0 no, and the instance goes on alone.',
      () => redis.isAway,
    );
  if (objects !== null)
    showUp(
      metrics,
      'clipferry_s3_up',
      'Whether the S3 store answers: 1 yes, 0 no, and files are kept on this machine.',
      () => objects.isAway,
    );
}
