import type { Translate } from '../../../../i18n/translate.ts';
import type { DownloadButton, SiteConfiguration } from '../../../configuration/configuration.ts';
import type { VisitorSettings } from '../../../visitors/settings.ts';
import { isSound, offersPictures } from '../files/choose-options.ts';

/** Something that a visitor may rely on. */
export interface Fact {
  readonly text: string;
  /** Where it can be verified; null when there is no such place. */
  readonly href: string | null;
}

/** A downloader page's formats, as short labels. */
export type Formats = ReturnType<typeof formatsOf>;

const names: Readonly<Record<DownloadButton, string>> = {
  mp4: 'MP4 720p',
  'mp4-hd': 'HD',
  mp3: 'MP3',
  m4a: 'M4A',
};

/** The labels of a page with these buttons. */
export function formatsOf(buttons: readonly DownloadButton[], t: Translate<'landing'>) {
  const hasPictures = offersPictures(buttons);
  // Next to a video the original sound is a detail.
  const shown = buttons.filter((button) => button !== 'm4a' || !hasPictures);
  return {
    label: t('formats.label'),
    entries: [
      ...shown.map((id) => ({ name: names[id], id })),
      ...(hasPictures ? [{ name: t('formats.photos'), id: 'photos' } as const] : []),
    ],
    /** Whether it is for sound only. */
    isSound: !hasPictures,
  };
}

/** The special features of a page for one format. */
export type Showcase = NonNullable<ReturnType<typeof showcaseOf>>;

/** The showcase of a page with these buttons; null for a general page. Widths are in pixels; 0 when there is none. */
export function showcaseOf(buttons: readonly DownloadButton[], t: Translate<'landing'>) {
  if (buttons.every(isSound))
    return {
      kind: 'sound' as const,
      title: t('sound.title'),
      text: t('sound.text'),
      examples: [
        { name: 'MP3', about: t('sound.mp3'), width: 0 },
        { name: 'M4A', about: t('sound.m4a'), width: 0 },
      ].filter(({ name }) => buttons.some((button) => names[button] === name)),
    };
  if (buttons.some(isSound)) return null;
  return {
    kind: 'sizes' as const,
    title: t('sizes.title'),
    text: t('sizes.text'),
    examples: [
      { name: '576 × 1024', about: t('sizes.common'), width: 576 },
      { name: '720 × 1280', about: t('sizes.standard'), width: 720 },
      ...(buttons.includes('mp4-hd') ? [{ name: '1080 × 1920', about: t('sizes.hd'), width: 1080 }] : []),
    ],
  };
}

/**
 * The site's promises to visitors: only those that its configuration makes true.
 * @param settings consent and statistics settings; null for none
 */
export function factsOf(
  configuration: SiteConfiguration,
  settings: VisitorSettings | null,
  t: Translate<'landing'>,
): Fact[] {
  const { ads_txt, source_url } = configuration;
  const tracking = trackingFact(settings);
  const say = (text: string, href: string | null = null): Fact => ({ text, href });
  return [
    say(t('fact.free')),
    ...(ads_txt.length === 0 && !configuration.hasAds ? [say(t('fact.no-ads'))] : []),
    ...(tracking === null ? [] : [say(t(tracking))]),
    ...(source_url === undefined ? [] : [say(t('fact.open-source'), source_url)]),
  ];
}

function trackingFact(settings: VisitorSettings | null): 'fact.no-tracking' | 'fact.asked-tracking' | null {
  if (settings === null) return 'fact.no-tracking';
  if (settings.learnsUnasked === true) return null;
  if (settings.asksFor.length === 0) return 'fact.no-tracking';
  return settings.consent === 'required' ? 'fact.asked-tracking' : null;
}
