import { translateTo } from '../../../i18n/catalogue.ts';
import { type Locale, languages } from '../../../i18n/languages.ts';
import type { Translate } from '../../../i18n/translate.ts';
import type { Experiment } from '../experiment.ts';
import { experimentItem, type StoredItem } from './stored-item.ts';
import { storedItems } from './stored-items.ts';

type T = Translate<'cookies'>;

/** The purpose of each item, from the catalogue. An item without a purpose does not compile. */
const purposes = {
  lang: 'language',
  consent: 'consent',
  category_page: 'categories',
  popup_date: 'closed',
  visitor_guid: 'visitor',
  finger_id: 'browser',
  doc_id: 'page-view',
  visit_timestamp: 'page-view',
  token_id: 'token',
  tmp_token_id: 'token',
  s_id: 'visit',
  path_track: 'path',
  guest_record: 'guest',
  email: 'email',
  waiting_reports: 'waiting',
  'first-referrer': 'referrer',
  online_user: 'notifications',
  theme: 'theme',
  'recent-links': 'recent-links',
  recent_visits: 'recent-articles',
  'file-names': 'file-names',
  'many-posts': 'many-posts',
  'made-videos': 'made-videos',
  'one-tap': 'one-tap',
  'developer-mode': 'developer',
  'assets-*': 'offline',
  'pages-*': 'offline',
  'loaded-whole': 'whole-page',
  'interrupted-change': 'whole-page',
  'react-router-scroll-positions': 'scroll',
} as const satisfies Readonly<
  Record<keyof typeof storedItems | 'waiting_reports' | 'developer-mode', string>
>;

/** Something that is stored, and the words for it. */
interface Entry extends StoredItem {
  readonly name: string;
  readonly purpose: string;
  readonly life: string;
}

const yearS = 365 * 86_400;
const units = [
  ['year', yearS],
  ['day', 86_400],
  ['minute', 60],
] as const;

function lifeOf({ where, lifeS }: StoredItem, t: T, locale: Locale): string {
  if (lifeS === null)
    return t(
      where === 'cookie' || where === 'sessionStorage'
        ? 'cookies.life.session'
        : 'cookies.life.until-deleted',
    );
  const [unit, seconds] = units.find(([, one]) => lifeS % one === 0) ?? units[2];
  const format = new Intl.NumberFormat(languages[locale].intl, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(lifeS / seconds);
}

/** Everything that the site stores on a device, in a language. */
export function storedEntries(locale: Locale, experiments: readonly Experiment[]): Entry[] {
  const t: T = translateTo(locale, 'cookies');
  const names = Object.keys(storedItems) as (keyof typeof storedItems)[];
  const entry = (name: string, item: StoredItem, purpose: string): Entry => ({
    ...item,
    name,
    purpose,
    life: lifeOf(item, t, locale),
  });
  return [
    ...names.map((name) => entry(name, storedItems[name], t(`cookies.${purposes[name]}`))),
    ...experiments.map(({ name }) => entry(name, experimentItem, t('cookies.experiment'))),
  ];
}

/** A Markdown table; items with the same purpose share a row. */
function table(entries: readonly Entry[], t: T): string {
  const rows = Map.groupBy(entries, ({ purpose, life }) => `${purpose} | ${life}`);
  return [
    `| ${t('cookies.what')} | ${t('cookies.purpose')} | ${t('cookies.life')} |`,
    '| --- | --- | --- |',
    ...[...rows].map(([rest, some]) => `| ${some.map(({ name }) => `\`${name}\``).join(', ')} | ${rest} |`),
  ].join('\n');
}

/** The tables of the cookies policy, by the names that stand in its texts. */
export function cookieTables(locale: Locale, experiments: readonly Experiment[]) {
  const t: T = translateTo(locale, 'cookies');
  const entries = storedEntries(locale, experiments);
  const of = (...kinds: StoredItem['kind'][]) =>
    table(
      entries.filter(({ kind }) => kinds.includes(kind)),
      t,
    );
  return {
    cookies_without_consent: of('necessary', 'anonymous'),
    cookies_with_consent: of('statistics', 'push'),
    device_storage: of('device'),
  };
}
