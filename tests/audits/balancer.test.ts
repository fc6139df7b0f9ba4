import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenTo } from '../support/balancer.ts';
import { canHaveMachines, type Machines, startMachines } from '../support/machines.ts';

describe.skipIf(!canHaveMachines)('three instances and two converters behind a balancer', () => {
  let site: Machines;

  beforeAll(async () => {
    site = await startMachines();
  });
  afterAll(() => site?.stop());

  test('resolves on one instance, reports on another, makes the file for the third, and cancels on the first', async () => {
    const { balancer, instances } = site;
    await instances.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 1_500_000 } } });
    const requested: string[] = [];
    const request = async (path: string, init?: RequestInit) => {
      const answer = await fetch(balancer.origin + path, init);
      requested.push(answer.headers.get(givenTo) ?? '');
      return answer;
    };
    const body = JSON.stringify({ url: instances.platform.link('ten-minutes') });
    const headers = { 'content-type': 'application/json' };
    const answer = await (await request('/api/resolve', { method: 'POST', headers, body })).json();
    const { href } = answer.result.options.find(({ id }: { id: string }) => id === 'mp3');
    const file = await request(href);
    expect(file.status).toBe(200);
    const end = file.arrayBuffer().then(
      () => 'whole',
      () => 'broken off',
    );
    expect(await (await request(`${href}/status`)).json()).toMatchObject({ result: { state: 'converting' } });
    const cancelled = await request(`${href}/status`, { method: 'DELETE' });
    expect(await cancelled.json()).toMatchObject({ result: { cancelled: true } });
    expect(await end).toBe('broken off');
    expect(new Set(requested.slice(0, 3)).size).toBe(3);
    expect(requested[3]).toBe(requested[0]);
  });
});
