import { afterEach, expect, test, vi } from 'vitest';
import type { Extra } from './extras.ts';
import type { VisitorSettings } from './settings.ts';

afterEach(() => vi.unstubAllGlobals());

const asking: VisitorSettings = { consent: 'required', asksFor: ['statistics'] };

/** A page whose browser becomes idle on command. */
async function openPage(list: readonly Extra[]) {
  const document = { cookie: '' };
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('addEventListener', () => undefined);
  vi.resetModules();
  const { createExtras } = await import('./extras.ts');
  const { consentChanged } = await import('../consent/current-consent.ts');
  const waiting: (() => void)[] = [];
  const show = createExtras(list, (callback) => waiting.push(callback));
  return {
    show,
    beIdle: () => {
      for (const callback of waiting.splice(0)) callback();
    },
    answer: (value: string) => {
      document.cookie = `consent=${value}`;
      consentChanged();
    },
  };
}

function extra(isNeeded: Extra['isNeeded']) {
  const start = vi.fn();
  const load = vi.fn(async () => ({ start }));
  return { isNeeded, load, start };
}

test('loads what is needed once, after the page’s own work', async () => {
  const wanted = extra(() => true);
  const unwanted = extra(() => false);
  const page = await openPage([wanted, unwanted]);
  page.show(asking);
  expect(wanted.load).not.toHaveBeenCalled();
  page.beIdle();
  page.show({ ...asking });
  page.beIdle();
  await vi.waitFor(() => expect(wanted.start).toHaveBeenCalledExactlyOnceWith(asking), 15_000);
  expect(wanted.load).toHaveBeenCalledOnce();
  expect(unwanted.load).not.toHaveBeenCalled();
});

test('later consent loads what waited for it', async () => {
  const statistics = extra((_, consent) => consent.statistics);
  const page = await openPage([statistics]);
  page.show(asking);
  page.beIdle();
  page.answer('1.00');
  expect(statistics.load).not.toHaveBeenCalled();
  page.answer('1.10');
  await vi.waitFor(() => expect(statistics.start).toHaveBeenCalledOnce(), 15_000);
});

test('uses the settings of a later page', async () => {
  const tag = extra((settings) => settings.tag !== undefined);
  const page = await openPage([tag]);
  page.show(asking);
  page.beIdle();
  page.show({ ...asking, tag: { host: 'https://tags.example', id: 'T-1' } });
  page.beIdle();
  await vi.waitFor(() => expect(tag.start).toHaveBeenCalledOnce(), 15_000);
});

test('notifies subscribers about a later page', async () => {
  const again = vi.fn();
  const wanted = extra(() => true);
  wanted.start.mockReturnValue(again);
  const page = await openPage([wanted]);
  page.show(asking);
  page.beIdle();
  await vi.waitFor(() => expect(wanted.start).toHaveBeenCalledOnce(), 15_000);
  expect(again).not.toHaveBeenCalled();
  const next = { ...asking };
  page.show(next);
  expect(again).toHaveBeenCalledExactlyOnceWith(next);
});

test('requests a missing file again with the next page', async () => {
  const start = vi.fn();
  const load = vi.fn<Extra['load']>().mockRejectedValueOnce(new TypeError('offline'));
  load.mockResolvedValue({ start });
  const page = await openPage([{ isNeeded: () => true, load }]);
  page.show(asking);
  page.beIdle();
  await vi.waitFor(() => {
    page.show({ ...asking });
    page.beIdle();
    expect(start).toHaveBeenCalledOnce();
  }, 15_000);
  expect(load).toHaveBeenCalledTimes(2);
});

test('loads urgent code before the browser is idle, and once', async () => {
  let hurryNow = () => {};
  const wanted: Extra = {
    ...extra(() => true),
    hurry: (callback) => {
      hurryNow = callback;
    },
  };
  const page = await openPage([wanted]);
  page.show(asking);
  expect(wanted.load).not.toHaveBeenCalled();
  hurryNow();
  expect(wanted.load).toHaveBeenCalledOnce();
  page.beIdle();
  hurryNow();
  expect(wanted.load).toHaveBeenCalledOnce();
});
