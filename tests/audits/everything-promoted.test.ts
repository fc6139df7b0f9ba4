import { afterAll, beforeEach, describe, test } from 'vitest';
import { auditPromotedPage, openPromoted } from '../support/audit/promoted-page.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import type { Journey } from '../support/journey.ts';
import { startDemo } from '../support/promotion.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startDemo();
  return journey.product;
});
beforeEach(() => journey.platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } }));
afterAll(() => journey.platform.stop());

describe.each(['', 'ar', 'de', 'ja'])('in /%s', (locale) => {
  test.each([
    [360, 740],
    [768, 1024],
    [1024, 800],
    [1025, 800],
    [1440, 900],
  ])('everything at once moves, breaks and covers nothing at %i by %i', async (width, height) => {
    const view = { width, height, locale };
    await auditPromotedPage(await openPromoted(visits, view), view, journey);
  });
});
