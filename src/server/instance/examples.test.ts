import { expect, test, vi } from 'vitest';
import { Examples } from './examples.ts';

const [one, other] = ['https://www.tiktok.com/@a/video/1', 'https://www.tiktok.com/@a/video/2'];

test('an example is dead from a failure of its post until it is found again', () => {
  const onChange = vi.fn();
  const examples = new Examples([one, other, one], onChange);
  expect([...examples.urls]).toEqual([one, other]);
  examples.note(one, 'post_gone');
  examples.note(one, 'post_private');
  expect([examples.isDead(one), examples.isDead(other)]).toEqual([true, false]);
  expect(onChange).toHaveBeenCalledTimes(1);
  examples.note(one, null);
  expect(examples.isDead(one)).toBe(false);
  expect(onChange).toHaveBeenCalledTimes(2);
});

test.each(['platform_blocked', 'platform_timeout', 'rate_limited', 'unavailable'] as const)(
  'the failure %s says nothing of it',
  (failure) => {
    const examples = new Examples([one], () => {});
    examples.note(one, failure);
    expect(examples.isDead(one)).toBe(false);
    examples.note(one, 'post_withheld');
    examples.note(one, failure);
    expect(examples.isDead(one)).toBe(true);
  },
);

test('another link is none', () => {
  const onChange = vi.fn();
  const examples = new Examples([one], onChange);
  examples.note(other, 'post_gone');
  expect([examples.isDead(other), onChange.mock.calls]).toEqual([false, []]);
});
