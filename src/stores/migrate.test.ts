import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { engines } from './contracts/testing/databases.ts';
import { migrate } from './migrate.ts';

describe.each(engines)('$name', (engine) => {
  test('of several instances that start at once, one makes the tables and the others wait for it', async () => {
    const place = await engine.makePlace();
    const databases = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    const taken = await Promise.all(databases.map((database) => migrate(database)));
    expect(taken.flat().sort()).toEqual(migrations.map(({ name }) => name).sort());
    expect(taken.filter((steps) => steps.length > 0)).toHaveLength(1);
    await Promise.all(databases.map((database) => database.close()));
    await place.remove();
  });

  test('a step that fails leaves nothing behind, and the database of a newer version is refused', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const failing = {
      name: '9999-failing',
      async up() {
        throw new Error('this step fails');
      },
    };
    await expect(migrate(database, [...migrations, failing])).rejects.toThrow('this step fails');
    await expect(sql`select * from articles`.execute(database.query)).rejects.toThrow();
    const later = { name: '9999-later', async up() {} };
    expect(await migrate(database, [...migrations, later])).toContain('9999-later');
    await expect(migrate(database)).rejects.toThrow('newer version: it has the steps 9999-later');
    await database.close();
    await place.remove();
  });
});
