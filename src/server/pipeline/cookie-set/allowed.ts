import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { type Experiment, isDue } from '../../../site/visitors/experiment.ts';
import { experimentItem } from '../../../site/visitors/stored/experiment-item.ts';
import { storedItems } from '../../../site/visitors/stored/stored-items.ts';

/** A cookie that visitors may have set for them. */
interface AllowedCookie {
  readonly maxAgeS: number;
  readonly isForScripts: boolean;
  accepts(value: string): boolean;
}

/** The variant of an experiment, while it runs. */
const bucket = (experiment: Experiment): AllowedCookie => ({
  maxAgeS: experimentItem.lifeS,
  isForScripts: true,
  accepts: (value) => isDue(experiment, Date.now()) && experiment.variants.some(({ name }) => name === value),
});

/** Names of posts or categories, separated by commas, so many at most. */
const names = (most: number) => (value: string) =>
  value.split(',').length <= most && /^[a-z0-9-]{1,100}(?:,[a-z0-9-]{1,100})*$/.test(value);

/**
 * The cookies that `/cookie_set` writes, each with its lifetime and allowed values. None of them identifies a visitor;
 * identifying cookies are set elsewhere, and only with consent.
 */
export function allowedCookies(configuration: SiteConfiguration): ReadonlyMap<string, AllowedCookie> {
  return new Map<string, AllowedCookie>([
    [
      'lang',
      {
        maxAgeS: storedItems.lang.lifeS,
        isForScripts: false,
        accepts: (value) => configuration.locales.some((locale) => locale === value),
      },
    ],
    ...configuration.experiments.map((one) => [one.name, bucket(one)] as const),
    ['category_page', { maxAgeS: storedItems.category_page.lifeS, isForScripts: false, accepts: names(30) }],
  ]);
}
