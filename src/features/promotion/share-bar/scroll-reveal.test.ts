import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScrollReveal, type ScrollReveal } from './scroll-reveal.ts';

let isShown: boolean;
let reveal: ScrollReveal;

beforeEach(() => {
  vi.useFakeTimers();
  isShown = false;
  reveal = createScrollReveal((shown) => {
    isShown = shown;
  });
});
afterEach(() => {
  reveal.end();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);

test('scrolling counts after five seconds', () => {
  pass(4999);
  reveal.scrolled();
  expect(isShown).toBe(false);
  pass(1);
  expect(isShown).toBe(false);
  reveal.scrolled();
  expect(isShown).toBe(true);
});

test('hides 200 ms after the last scrolling', () => {
  pass(5000);
  reveal.scrolled();
  pass(199);
  reveal.scrolled();
  pass(199);
  expect(isShown).toBe(true);
  pass(1);
  expect(isShown).toBe(false);
  reveal.scrolled();
  expect(isShown).toBe(true);
});

test('does not hide while it is used, but 200 ms afterwards', () => {
  pass(5000);
  reveal.scrolled();
  pass(150);
  reveal.hold(true);
  pass(60_000);
  expect(isShown).toBe(true);
  reveal.scrolled();
  pass(200);
  expect(isShown).toBe(true);
  reveal.hold(false);
  pass(199);
  expect(isShown).toBe(true);
  pass(1);
  expect(isShown).toBe(false);
});

test('does nothing after its end', () => {
  pass(5000);
  reveal.scrolled();
  reveal.end();
  pass(1000);
  expect(isShown).toBe(true);
});
