import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createShapeRecorder, createShapeStore, type MetShape } from './shapes.ts';

const dayMs = 86_400_000;
const field = (name: string, example = '1'): MetShape => ({
  ...{ strategy: 'tiktok/page', kind: 'field', name, example },
});

test.for(engines)(
  'only forms from after the first day are new, and they are counted, on $name',
  async (engine) => {
    await using fresh = await openFreshDatabase(engine);
    let time = 1_790_000_000_000;
    const store = createShapeStore(fresh.database.query, () => time);
    const counted: string[] = [];
    const record = createShapeRecorder(
      store,
      () => time,
      (strategy, shape) => counted.push(`${strategy} ${shape}`),
    );
    record.meet(field('video.usual'));
    record.meet({ ...field('media'), kind: 'unreadable' });
    await record.write();
    record.meet(field('video.usual'));
    expect(counted).toEqual(['tiktok/page unreadable media']);

    time += dayMs;
    const since = time;
    record.meet(field('video.fresh', '77'));
    await record.write();
    record.meet(field('video.fresh', '78'));
    record.meet(field('video.usual', '78'));
    expect(counted.slice(1)).toEqual(['tiktok/page field video.fresh']);
    time += dayMs;
    record.meet(field('video.fresh', '79'));
    await record.write();
    expect(await store.list()).toEqual([
      { ...field('video.fresh', '77'), firstSeen: since, lastSeen: time, isUsual: false },
      {
        ...field('media'),
        kind: 'unreadable',
        firstSeen: since - dayMs,
        lastSeen: since - dayMs,
        isUsual: false,
      },
      { ...field('video.usual'), firstSeen: since - dayMs, lastSeen: since - dayMs, isUsual: true },
    ]);
    // After a month a form is normal for the platform.
    time += 31 * dayMs;
    await record.write();
    const before = counted.length;
    record.meet(field('video.fresh', '80'));
    expect(counted).toHaveLength(before);
  },
);

test('keeps a limited number of forms, however many come up', async () => {
  const [sqlite] = engines;
  if (sqlite === undefined) throw new Error('no engine');
  await using fresh = await openFreshDatabase(sqlite);
  const store = createShapeStore(fresh.database.query, () => 1);
  for (let at = 0; at < 600; at += 100)
    await store.note(Array.from({ length: 100 }, (_, index) => field(`f${at + index}`)));
  expect(await store.list()).toHaveLength(500);
});
