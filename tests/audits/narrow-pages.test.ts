import { afterAll, test } from 'vitest';
import { availableLocales } from '../../src/i18n/catalogue.ts';
import { expectFitsPhone } from '../support/audit/narrow-pages.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney();
  return journey.product;
});
afterAll(() => journey.platform.stop());

test.each(availableLocales())('nothing is wider than a phone of 360 px in %s', async (locale) => {
  const watched = await visits.open({ viewport: { width: 360, height: 740 } });
  await expectFitsPhone(watched, locale === 'en' ? '' : locale, journey);
});
