import { expect, test } from 'vitest';
import { type ElementFacts, interactionEvent, isPartner, linkEvent } from './link-events.ts';
import { strip } from './start.ts';

const video = { key: 'tiktok-downloader', isForSound: false };
const settings = { partners: ['partner.example'], appIds: ['100', '200'] };
const eventOf = (facts: Partial<ElementFacts>, page = video, isMac = false) => {
  const event = linkEvent({ href: undefined, vars: {}, ...facts }, page, settings, isMac);
  return event === null ? null : strip({ ...event });
};

test('a link to a program reports a download, for whom it counts and which program', () => {
  const href = 'https://shop.example/de/mlink/download.php?pid=77&x=secret';
  const event_target = {
    url: '/de/mlink/download.php',
    fullurl: 'https://shop.example/de/mlink/download.php',
  };
  expect(eventOf({ href })).toEqual({
    event: 'download',
    event_label: 'p',
    pids: ['77'],
    install: { app_id: '100', pid: '77', download_url: event_target.fullurl },
    event_target,
  });
  const vars = { varsDpid: '5', varsPackage: 'de.program' };
  expect(eventOf({ href, vars }, video, true)).toMatchObject({
    pids: ['5'],
    install: { package_name: 'de.program', app_id: '200', pid: '5' },
  });
  expect(eventOf({ vars: { varsDpid: '9' } })).toEqual({
    event: 'download',
    event_label: 'p',
    pids: ['9'],
    install: { app_id: '100', pid: '9' },
  });
});

test.each([
  ['https://shop.example/checkout.htm?a=b', 'buy_now'],
  ['https://shop.example/order/subscribe.php', 'subscribe'],
  ['https://www.partner.example/guide', 'guide_jump'],
])('%s is %s', (href, event) => {
  const { origin, pathname } = new URL(href);
  expect(eventOf({ href })).toEqual({ event, event_target: { url: pathname, fullurl: origin + pathname } });
});

test('other links and elements report nothing, unless they say so themselves', () => {
  expect(eventOf({ href: 'https://elsewhere.example/' })).toBeNull();
  expect(eventOf({ href: 'https://evilpartner.example/' })).toBeNull();
  expect(eventOf({})).toBeNull();
  expect(eventOf({ vars: { varsEvent: 'guide_jump', varsLabel: 'faq' } })).toEqual({
    event: 'guide_jump',
    event_label: 'faq',
  });
});

test.each(['mailto:?subject=secret', 'sms:?&body=secret', 'viber://forward?text=secret'])(
  '%s leads nowhere that could be reported',
  (href) => {
    expect(eventOf({ href })).toBeNull();
    const vars = { varsEvent: 'share', varsLabel: 'email' };
    expect(eventOf({ href, vars })).toEqual({ event: 'share', event_label: 'email' });
  },
);

test('a link to a network reports its target, and nothing of its text', () => {
  const vars = { varsEvent: 'share', varsLabel: 'reddit' };
  expect(eventOf({ href: 'https://www.reddit.com/submit?url=secret', vars })).toEqual({
    event: 'share',
    event_label: 'reddit',
    event_target: { url: '/submit', fullurl: 'https://www.reddit.com/submit' },
  });
});

test.each([
  ['open', video, 'b_banner', 'ks', 'tiktok'],
  ['close', { key: 'download-mp3-tiktok', isForSound: true }, 'close_b_banner', 'kb', 'download'],
  ['open', { key: 'index', isForSound: false }, 'b_banner', 'ks', 'youtube'],
])('a banner reports what happened to it and where', (banner, page, event, event_label, event_value) => {
  expect(eventOf({ vars: { varsBanner: banner } }, page)).toEqual({
    event,
    event_category: event,
    event_label,
    event_value,
  });
});

test('reports an exposure or a hover with the name of the element', () => {
  const reported = (what: 'click' | 'hover' | 'exposure', facts: Partial<ElementFacts>) => {
    const event = linkEvent({ href: undefined, vars: {}, ...facts }, video, settings, false);
    return event === null ? null : interactionEvent(what, event);
  };
  const link = { href: 'https://shop.example/checkout.htm' };
  expect(reported('click', link)).toMatchObject({ event: 'buy_now' });
  expect(reported('exposure', link)).toMatchObject({ event: 'exposure', event_label: 'buy_now' });
  const banner = { vars: { varsBanner: 'open' } };
  expect(reported('exposure', banner)).toMatchObject({
    ...{ event: 'exposure', event_category: 'b_banner', event_label: 'ks', event_value: 'tiktok' },
  });
  expect(reported('hover', banner)).toMatchObject({ event: 'hover', event_category: 'b_banner' });
  const close = { vars: { varsBanner: 'close' } };
  expect(reported('click', close)).toMatchObject({ event: 'close_b_banner' });
  expect([reported('exposure', close), reported('hover', close)]).toEqual([null, null]);
});

test('partners are the named domains, and the domains below them', () => {
  expect(isPartner('partner.example', settings.partners)).toBe(true);
  expect(isPartner('a.partner.example', settings.partners)).toBe(true);
  expect(isPartner('apartner.example', settings.partners)).toBe(false);
});

test('leaves empty values out of a report', () => {
  expect(
    strip({
      a: '',
      b: null,
      c: 'undefined',
      d: undefined,
      e: [],
      f: { g: '' },
      h: 0,
      i: { j: false },
      k: ['x'],
    }),
  ).toEqual({ h: 0, i: { j: false }, k: ['x'] });
});
