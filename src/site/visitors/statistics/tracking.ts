import type { Experiment } from '../experiment.ts';
import { cookieValue } from '../stored-cookies.ts';
import { identity, isKnown } from './identity.ts';

/** Of the reports' format, not of this site. */
const webVersion = '2.2.6';

/** As many days as an experiment's bucket is kept. */
const bucketDays = 30;

interface Tracked {
  readonly url: string;
  /** Where the visitor came from. */
  readonly referer: string;
  readonly highestPercent: number;
  /** Those that may run; on which pages they do, the server knows. */
  readonly experiments: readonly Experiment[];
}

/** What every report says of the page and the visitor; empty values are stripped afterwards. */
export function tracking({ url, referer, highestPercent, experiments }: Tracked) {
  const { documentElement } = document;
  const day = new Date().toISOString().slice(0, 10);
  return {
    ...identity(),
    url,
    referer_url: referer,
    scroll_height: documentElement.scrollHeight,
    viewport_height: innerHeight,
    viewport_width: innerWidth,
    web_version: webVersion,
    ga_ids: { year: day.slice(0, 4), day },
    lang_domain: `${documentElement.lang}.${location.host}`,
    xargs_request_type: isKnown() && 'sendBeacon' in navigator ? 'send_beacon' : 'axios',
    highest_page_viewed_percent: highestPercent,
    ab_try_list: experiments
      .map(({ name: key }) => ({ key, version: '1', value: cookieValue(key), expire_day: bucketDays }))
      .filter(({ value }) => value !== null),
  };
}
