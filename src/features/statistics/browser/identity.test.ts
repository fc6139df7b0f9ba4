import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addToGuest, beginVisit, trackPath } from './identity.ts';

let cookies: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });
  cookies = new Map();
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('navigator', { userAgent: 'a browser' });
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(line: string) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const guest = () => JSON.parse(decodeURIComponent(cookies.get('guest_record') ?? '')) as object;

test('remembers the last five pages, in their order', () => {
  for (const key of ['index', 'posts', 'contact']) trackPath(key);
  expect(cookies.get('path_track')).toBe('index,posts,contact');
  for (const key of ['dmca', 'article', 'posts', 'api']) trackPath(key);
  expect(cookies.get('path_track')).toBe('contact,dmca,article,posts,api');
});

test('identifies a guest by first visit, number of visits and last visit', () => {
  const created_at = Date.now();
  beginVisit();
  expect(guest()).toEqual({
    last_active: created_at,
    session_count: 1,
    created_at,
    user_agent: 'a browser',
    popup_count: 0,
  });
  // Another page of the same visit.
  cookies.set('s_id', 'a-visit');
  vi.advanceTimersByTime(60_000);
  beginVisit();
  addToGuest(0, 1);
  expect(guest()).toMatchObject({ last_active: created_at + 60_000, session_count: 1, popup_count: 1 });
  cookies.delete('s_id');
  vi.advanceTimersByTime(86_400_000);
  beginVisit();
  expect(guest()).toMatchObject({
    last_active: created_at + 86_460_000,
    session_count: 2,
    created_at,
    popup_count: 1,
  });
});
