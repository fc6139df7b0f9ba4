import type { BrowserClient } from '@sentry/browser';
import { expect, test, vi } from 'vitest';
import { record } from './recording.ts';

const sdk = vi.hoisted(() => ({
  browserTracingIntegration: vi.fn(),
  replayIntegration: vi.fn(() => ({ start: vi.fn(), stop: vi.fn() })),
  startBrowserTracingNavigationSpan: vi.fn(),
}));
vi.mock('@sentry/browser', () => sdk);
vi.mock('../../../site/consent/current-consent.ts', () => ({ onConsent: vi.fn() }));

test('times a page until it has rested for a second, for half a minute at most, and three beats without news', () => {
  record({ addIntegration: vi.fn() } as unknown as BrowserClient);
  expect(sdk.browserTracingIntegration).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ idleTimeout: 1000, finalTimeout: 30_000, childSpanTimeout: 3 * 5000 }),
  );
});
