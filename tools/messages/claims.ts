import { ringtoneFrom } from '../../src/downloader/cutting/cut.ts';
import { mp3Bitrate } from '../../src/downloader/media/mp3/layout.ts';
import { defaultShortSide } from '../../src/downloader/post/choose-files.ts';
import { locales } from '../../src/i18n/languages.ts';
import { maxEntries } from '../../src/site/browser/device/device-list.ts';
import { type FormField, forms } from '../../src/site/forms.ts';
import { defaultLifetimeMs, defaultSweepMs } from '../../src/stores/contracts/file-store.ts';
import { maxBytes, maxRequests } from '../../tests/support/first-visit-limits.ts';

/** A number that texts promise, and the product's value. */
export interface Claim {
  readonly about: string;
  /** The product's value, in the unit of the texts. */
  readonly value: number;
  /**
   * The wording in English texts, wherever it occurs; the first group that matches is the number, in digits or as a
   * word.
   */
  readonly said: RegExp;
  /** The minimum list of places: messages as `page:key`, documents by their path. */
  readonly where: readonly string[];
}

const hourMs = 3_600_000;
const contactFields: readonly FormField[] = forms.contact;

/**
 * The numbers that the site's texts promise. Features have theirs in `testing/claims.ts`, so that both are removed
 * together.
 */
export const claims: readonly Claim[] = [
  {
    about: 'kilobits a second of an mp3',
    value: mp3Bitrate / 1000,
    said: /\b(?:at|constant) (\d+) kbps\b(?! would)/gi,
    where: [
      'tiktok-downloader:faq.4.answer',
      'download-mp3-tiktok:features.3.text',
      'download-mp3-tiktok:faq.1.answer',
      'content/articles/mp3-or-m4a/en.md',
    ],
  },
  {
    about: 'seconds of a ringtone',
    value: ringtoneFrom(0).toMs / 1000,
    said: /\b(\d+)[ -]seconds?(?:,? as MP3| ringtone| from your start| with a fade)/gi,
    where: [
      'download-mp3-tiktok:faq.8.answer',
      'cut:cut.ringtone-note',
      'api:files.cut',
      'content/articles/tiktok-sound-as-ringtone/en.md',
      'README.md',
    ],
  },
  {
    about: 'hours after which a converted file is gone',
    value: Math.ceil((defaultLifetimeMs + defaultSweepMs) / hourMs),
    said: /\b(?:within|up to) (\w+) hour\b/gi,
    where: [
      'home:features.6.text',
      'tiktok-downloader:features.6.title',
      'tiktok-downloader:features.6.text',
      'tiktok-video-downloader:faq.10.answer',
      'download-mp3-tiktok:head.description',
      'download-mp3-tiktok:features.6.text',
      'download-mp3-tiktok:faq.10.answer',
      'content/legal/privacy-policy/en.md',
      'content/legal/terms-of-use/en.md',
      'content/legal/dmca/en.md',
      'content/legal/contact/en.md',
      'content/articles/mp3-or-m4a/en.md',
      'content/articles/safe-tiktok-downloading/en.md',
    ],
  },
  {
    about: 'entries of the lists on the device',
    value: maxEntries,
    said: /\blast (\w+) (?:links|guides)\b/gi,
    where: [
      'tiktok-downloader:faq.8.answer',
      'cookies:cookies.recent-articles',
      'content/legal/cookies-policy/en.md',
      'content/articles/save-tiktok-video-computer/en.md',
    ],
  },
  {
    about: 'pixels of the short side of the standard video',
    value: defaultShortSide,
    said: /\b(\d+)p by default|\bup to (?:about )?(\d+)p\b/gi,
    where: [
      'tiktok-downloader:faq.1.answer',
      'tiktok-video-downloader:head.description',
      'content/legal/terms-of-use/en.md',
      'content/articles/tiktok-hd-quality-explained/en.md',
    ],
  },
  {
    about: 'characters of the shortest message',
    value: contactFields.find(({ name }) => name === 'message')?.least ?? 0,
    said: /\bat least (\d+) characters/gi,
    where: ['forms:message.hint'],
  },
  {
    about: 'languages',
    value: locales.length,
    said: /\b(\d+) languages\b/gi,
    where: ['README.md'],
  },
  {
    about: 'kilobytes of a first visit',
    value: maxBytes / 1000,
    said: /\b(?:less than|at most) (\d+) kB\b(?=[^.]* requests)/gi,
    where: ['README.md', 'docs/decisions/0010-weight-of-a-first-visit.md'],
  },
  {
    about: 'requests of a first visit',
    value: maxRequests,
    said: /\b(\d+) requests(?=,| before)/gi,
    where: ['README.md', 'docs/decisions/0010-weight-of-a-first-visit.md'],
  },
];

/** A statement that holds under a condition, which the same message or line must name. */
interface Condition {
  readonly about: string;
  readonly said: RegExp;
  readonly named: RegExp;
}

export const conditions: readonly Condition[] = [
  {
    about: 'sounds that are MP3 already keep their bit rate',
    said: /^A constant \d+ kbps/,
    named: /already has as MP3[^.]* keep their own/,
  },
  {
    about: 'a ringtone fades with ffmpeg only',
    said: /\bfad(?:e|ing)\b.* end\b/,
    named: /where possible|M4R/,
  },
  {
    about: 'browsers make videos of slideshows where the server has no ffmpeg',
    said: /Download all as one video.*deleted/,
    named: /browser.*our server makes/,
  },
  {
    about: 'with implied consent data is collected before visitors agree',
    said: /before you agree|only if you agree|with your IP address/,
    named: /\{if implied\}/,
  },
  { about: 'not every site names its operator', said: /\{operator\}(?!,)/, named: /\{if operator\}/ },
  { about: 'not every site has ads', said: /\bads\b.*\blabeled\b|^There are no ads/i, named: /\{if ads\}/ },
];

/** What no text of this site may say: it leaves open what holds here, or nobody can keep it. */
export const unsaid =
  /\b(?:if|where|unless) (?:this|the) site (?:is|asks|has)\b|where it’s offered|as long as it takes|stays that way|loses access|without your full IP/i;

/** Numbers that English texts spell out, by their value. */
const words = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** All numbers in an English text, including spelt-out ones. */
export function allNumbersIn(text: string): number[] {
  const spelt = (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => words.indexOf(word));
  return [...(text.match(/\d+/g) ?? []).map(Number), ...spelt.filter((number) => number > 0)];
}

/** The numbers that a text states for a claim. Unparsable ones are NaN. */
export function numbersIn(text: string, { said }: Claim): number[] {
  return [...text.matchAll(said)].map((match) => {
    const number = (match.slice(1).find((group) => group !== undefined) ?? '').toLowerCase();
    if (number === 'an' || number === 'the') return 1;
    return words.includes(number) ? words.indexOf(number) : Number(number);
  });
}
