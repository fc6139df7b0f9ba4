import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { expectUnharmed } from '../support/audit/machine-faults.ts';
import { canHaveMachines, type Machines, startMachines } from '../support/machines.ts';

const minutes = 5;
const everyMs = 10_000;

describe.skipIf(!canHaveMachines)('many machines for five minutes', () => {
  let site: Machines;

  beforeAll(async () => {
    site = await startMachines();
  });
  afterAll(() => site?.stop());

  test('every ten seconds an instance is killed, and every minute all are replaced by another version', async () => {
    const figures = await expectUnharmed(site, { visitors: 12, seed: 2 }, async ({ kill, rollOut }) => {
      const rounds = (minutes * 60_000) / everyMs;
      for (let round = 1; round <= rounds; round += 1) {
        const next = pause(everyMs);
        const machine = site.machines[round % site.machines.length];
        if (machine !== undefined) await kill(machine);
        if (round % 6 === 0) await rollOut(round % 12 === 0 ? 'this' : 'other');
        if (round % 4 === 0) await site.replaceConverter(round % 2);
        await next;
      }
    });
    console.info(figures);
  }, 600_000);
});
