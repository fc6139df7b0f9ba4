import type { Experiment } from '../../../site/visitors/experiment.ts';
import { cookieValue } from '../../../site/visitors/stored-cookies.ts';
import { identity, isKnown } from './identity.ts';
import type { Reading } from './reading.ts';

/** Version of the reports' format, not of this site. */
const webVersion = '2.2.6';

/** Days for which an experiment's bucket is stored. */
const bucketDays = 30;

/** A page while it is shown. */
export interface Tracked {
  readonly url: string;
  /** The referring page. */
  readonly referer_url: string | undefined;
  /** The document's, which may be the next page's when this one is left. */
  readonly lang: string;
  readonly reading: Reading;
}

/**
 * The common data of every report on page and visitor; empty values are stripped afterwards.
 * @param experiments that may run; the server knows on which pages they do
 */
export function tracking({ url, referer_url, lang, reading }: Tracked, experiments: readonly Experiment[]) {
  const day = new Date().toISOString().slice(0, 10);
  return {
    ...identity(),
    url,
    referer_url,
    scroll_height: reading.total,
    viewport_height: innerHeight,
    viewport_width: innerWidth,
    web_version: webVersion,
    ga_ids: { year: day.slice(0, 4), day },
    lang_domain: `${lang}.${location.host}`,
    xargs_request_type: isKnown() && 'sendBeacon' in navigator ? 'send_beacon' : 'axios',
    highest_page_viewed_percent: reading.highest,
    ab_try_list: experiments
      .map(({ name: key }) => ({ key, version: '1', value: cookieValue(key), expire_day: bucketDays }))
      .filter(({ value }) => value !== null),
  };
}
