import { expect, test } from 'vitest';
import { announce, onEvent, type VisitorEvent } from './events.ts';

const event = (upload_id: string): VisitorEvent => ({ upload_id, mode: 'event', data: {} });

test('a listener receives the last events and the following ones, until it stops', () => {
  for (let n = 0; n < 30; n += 1) announce(event(String(n)));
  const received: string[] = [];
  const end = onEvent(({ upload_id }) => received.push(upload_id));
  expect([received.length, received[0], received.at(-1)]).toEqual([20, '10', '29']);
  announce(event('next'));
  end();
  announce(event('later'));
  expect(received.at(-1)).toBe('next');
});
