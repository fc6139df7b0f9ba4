import { z } from 'zod';
import type { CaptionTrack, MediaSource } from '../../../post/post.ts';
import { addresses, anyCase, anyShape, list, text } from './schemas.ts';

/** Translations into some sixty languages have been seen. */
const maxListed = 100;
/** Captions are cached with the post and shown; nobody looks through more languages than this. */
const maxTracks = 40;

const said = z.unknown().optional();

/**
 * The captions of a video: `subtitleInfos` on pages (`Source`: `ASR` recognised, `MT` translated, `LC` the author's
 * own), and the same files in `claInfo.captionInfos` under other names. The app writes `cla_info.caption_infos`, with
 * `lang` and `is_auto_generated`.
 */
export const captionFields = {
  subtitleInfos: list(
    anyCase({ LanguageCodeName: text, Source: text, Format: text, Url: addresses, UrlList: addresses }),
    maxListed,
  ),
  claInfo: anyShape({
    captionInfos: list(
      anyCase(
        {
          language: text,
          captionFormat: text,
          isAutoGen: said,
          isOriginalCaption: said,
          url: addresses,
          urlList: addresses,
        },
        { lang: 'language', is_auto_generated: 'isAutoGen' },
      ),
      maxListed,
    ),
  }),
};

/** A caption file as a strategy found it, unchecked. */
export interface CaptionFile {
  /** The language in the platform's notation: `eng-US`, `cmn-Hans-CN`, `en`. */
  readonly language: string;
  readonly origin: CaptionTrack['origin'];
  readonly urls: readonly string[];
}

const fieldsSchema = z.object(captionFields);

/** All that are named, each perhaps twice. */
export function captionFiles({ subtitleInfos, claInfo }: z.output<typeof fieldsSchema>): CaptionFile[] {
  return [
    ...subtitleInfos.map(({ LanguageCodeName: language, Source: source, Url, UrlList }) => ({
      language,
      origin: sources[source.toUpperCase()] ?? null,
      urls: [...Url, ...UrlList],
    })),
    ...(claInfo?.captionInfos ?? []).map(({ language, isAutoGen, isOriginalCaption, url, urlList }) => ({
      language,
      origin: originOf(isAutoGen, isOriginalCaption),
      urls: [...url, ...urlList],
    })),
  ];
}

const sources: Readonly<Record<string, CaptionTrack['origin']>> = {
  LC: 'author',
  ASR: 'speech',
  MT: 'translation',
};

function originOf(isMade: unknown, isOriginal: unknown): CaptionTrack['origin'] {
  if (isMade === false) return 'author';
  if (isMade !== true || typeof isOriginal !== 'boolean') return null;
  return isOriginal ? 'speech' : 'translation';
}

const worth = ['author', 'speech', null, 'translation'] as const;

/** One track for each language: the author's own before a recognised one, a translation last. */
export function toCaptions(
  files: readonly CaptionFile[],
  source: (urls: readonly string[]) => MediaSource | null,
): CaptionTrack[] {
  const tracks = new Map<string, CaptionTrack>();
  const sorted = files.toSorted((one, other) => worth.indexOf(one.origin) - worth.indexOf(other.origin));
  for (const { language: written, origin, urls } of sorted) {
    const language = languageTag(written);
    const found = language === null || tracks.has(language) ? null : source(urls);
    if (language !== null && found !== null) tracks.set(language, { language, origin, source: found });
    if (tracks.size === maxTracks) break;
  }
  return [...tracks.values()];
}

/** `eng-US` is `en-US` (RFC 5646, section 4.5); null for what names no language. */
function languageTag(written: string): string | null {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(written)) return null;
  try {
    return Intl.getCanonicalLocales(written)[0] ?? null;
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
