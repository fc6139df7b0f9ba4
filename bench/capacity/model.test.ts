import { describe, expect, it } from 'vitest';
import { loadOf, purchaseFor } from './model.ts';
import { costs, limits, mix, prices, tenASecond } from './testing/round-figures.ts';

const load = loadOf(tenASecond, costs, mix, limits);

describe('the load of ten downloads a second', () => {
  it('is busy with pages, links, files and conversions', () => {
    expect(load.downloadsPerSecond).toBeCloseTo(10);
    // 40 pages, half of them rendered; 10 links, half of them known.
    expect(load.pageCores).toBeCloseTo(0.02 + 0.2);
    expect(load.linkCores).toBeCloseTo(0.05 + 0.005);
    // 6 videos, 1 post with photos, 3 sounds.
    expect(load.fileCores).toBeCloseTo((60 + 5 + 3) / 1000);
    // Half of 2 mp3 and of 1 m4a are new.
    expect(load.converterCores).toBeCloseTo(1 + 0.05);
  });

  it('comes in and goes out', () => {
    // What passes through, twice the sounds that are made, and 5 pages of the platform.
    expect(load.inGbit).toBeCloseTo(((65 + 1.5 * 2 + 0.5) * 8) / 1000);
    // Files, 40 pages and what 20 visits load beside them.
    expect(load.outGbit).toBeCloseTo(((68 + 0.4 + 2) * 8) / 1000);
    expect(load.downloadsAtOnce).toBeCloseTo(68);
    expect(load.platformPerSecond).toBeCloseTo(5);
  });

  it('takes memory, commands, rows and room', () => {
    // One line is too little for 0.56 Gbit/s at half of it.
    expect(load.instances).toBe(2);
    expect(load.memoryGb).toBeCloseTo((2 * 100 + 68 * 0.1 + 2.1 * 50) / 1000);
    expect(load.redisPerSecond).toBeCloseTo(50 + 25 + 400 + 15 + 8.5 * 4 + 2);
    expect(load.writesPerSecond).toBeCloseTo(4 + 100);
    expect(load.storageGb).toBeCloseTo(1.5 * 3.6);
  });

  it('is unknown where nothing was measured', () => {
    const bare = loadOf(tenASecond, { ...costs, redis: null, writes: null }, mix, limits);
    expect(bare).toMatchObject({ redisPerSecond: null, writesPerSecond: null });
  });

  it('grows with the volume', () => {
    const double = loadOf(2 * tenASecond, costs, mix, limits);
    for (const name of ['pageCores', 'linkCores', 'fileCores', 'converterCores', 'outGbit'] as const)
      expect(double[name]).toBeCloseTo(2 * load[name]);
  });
});

describe('what is bought', () => {
  it('is enough for the peak', () => {
    const bought = purchaseFor(load, mix, limits, prices);
    // 1.393 busy cores, half of each planned.
    expect(bought).toMatchObject({ cores: 3, machines: 2, converters: 3, addresses: 3 });
    // Half of the peak, for a month.
    expect(bought.trafficTb).toBeCloseTo((70.4 / 2) * 86_400 * 30.4 * 1e-6);
    expect(bought.euros).toBeCloseTo(
      3 * 10 + load.memoryGb + bought.trafficTb + load.storageGb * 0.1 + 2 * 5,
    );
  });

  it('is one of each for a site without visitors', () => {
    const nothing = purchaseFor(loadOf(0, costs, mix, limits), mix, limits, prices);
    expect(nothing).toMatchObject({ cores: 1, machines: 1, converters: 1, addresses: 1, trafficTb: 0 });
  });

  it('follows the line where that is the narrowest, and the memory where that is', () => {
    const machines = (change: Partial<typeof limits>) =>
      purchaseFor(load, mix, { ...limits, ...change }, prices).machines;
    expect(machines({ machineGbit: 0.1 })).toBe(12);
    expect(machines({ machineGb: 0.05 })).toBe(7);
    expect(machines({ machineCores: 1 })).toBe(3);
  });
});
