import type { CompiledMessage } from 'icu-minify/format';
import format from 'icu-minify/format';
import { type CataloguePage, type Locale, languages } from './languages.ts';
import type { Catalogues, MessageValues, Tag } from './message-values.ts';

/** Compiled messages by key; plain data that can be sent to the browser as JSON. */
export type Messages = Readonly<Record<string, CompiledMessage>>;

/** Lets `faq.${n}.question` stand for `faq.1.question`, `faq.2.question` … */
type Numbered<K> = K extends `${infer Before}.${number}.${infer After}`
  ? K | `${Before}.${number}.${After}`
  : K;

/** Every key of a catalogue page. */
export type MessageKey<P extends CataloguePage> = P extends CataloguePage
  ? Numbered<keyof Catalogues[P] & string>
  : never;

/** The values that a key's message needs; never when it needs none. */
type ValuesOf<P extends CataloguePage, K> = P extends keyof MessageValues
  ? K extends keyof MessageValues[P]
    ? MessageValues[P][K]
    : never
  : never;

type HasTag<V> = V extends unknown ? (Tag extends V[keyof V] ? true : never) : never;

/** The keys of messages without tags. */
type PlainKey<P extends CataloguePage, K = MessageKey<P>> = K extends unknown
  ? [HasTag<ValuesOf<P, K>>] extends [never]
    ? K
    : never
  : never;

type PlainArguments<P extends CataloguePage, K> = K extends unknown
  ? [ValuesOf<P, K>] extends [never]
    ? []
    : [values: ValuesOf<P, K>]
  : never;

type RichValues<V, Chunk> = {
  [N in keyof V]: V[N] extends Tag ? (chunks: (string | Chunk)[], key: number) => Chunk : V[N];
};

/**
 * The texts of one language. @typeParam P the catalogue pages whose keys may be used @typeParam Chunk the result of a
 * tag in `rich`, for example React's node
 */
export interface Translate<P extends CataloguePage, Chunk = string> {
  /** The text of a key, with its values put in. */
  <K extends PlainKey<P>>(key: K, ...values: PlainArguments<P, K>): string;
  /**
   * The parts of a text with tags, such as `See <help>the help page</help>`: pass `help` as a function that gets the
   * tag's content and its number in this text, which serves as React's key.
   */
  rich<K extends MessageKey<P>>(key: K, values: RichValues<ValuesOf<P, K>, Chunk>): (string | Chunk)[];
}

export interface TranslateOptions {
  /** Called when a key has no message. Without it, development throws and production carries on. */
  readonly onMissing?: (key: string, locale: Locale) => void;
}

type Value = string | number | Date | ((chunks: unknown[], key: number) => unknown);

/**
 * Creates the translate function of a language. Inserted text of the other direction is isolated (Unicode UAX #9, FSI
 * and PDI), so that a Latin handle does not disorder an Arabic sentence.
 * @param messages of all the catalogue pages in `P`
 */
export function createTranslate<P extends CataloguePage, Chunk = string>(
  locale: Locale,
  messages: Messages,
  { onMissing = throwInDevelopment }: TranslateOptions = {},
): Translate<P, Chunk> {
  const { intl, direction } = languages[locale];

  function translate(key: string, values: Readonly<Record<string, Value>> = {}): unknown {
    const message = Object.hasOwn(messages, key) ? messages[key] : undefined;
    if (message === undefined) {
      onMissing(key, locale);
      return key;
    }
    if (typeof message === 'string') return message;
    let tags = 0;
    const prepared: Record<string, string | number | Date | ((chunks: unknown[]) => unknown)> = {};
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'function') prepared[name] = (chunks) => value(chunks, tags++);
      else prepared[name] = typeof value === 'string' ? isolate(value, direction) : value;
    }
    return format<unknown>(message, intl, prepared, { formatters, formats, timeZone: 'UTC' });
  }

  const text = (key: string, values?: Readonly<Record<string, Value>>) => String(translate(key, values));
  const rich = (key: string, values: Readonly<Record<string, Value>>) => {
    const parts = translate(key, values);
    return Array.isArray(parts) ? parts : [parts];
  };
  // The types promise the catalogues' content; tools/check-messages.ts verifies it.
  return Object.assign(text, { rich }) as unknown as Translate<P, Chunk>;
}

function throwInDevelopment(key: string, locale: Locale): void {
  // Vite sets `env`; it is undefined when Node runs this file directly.
  if (import.meta.env?.DEV) throw new Error(`There is no message "${key}" (${locale})`);
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function isolate(value: string, direction: 'ltr' | 'rtl'): string {
  const foreign = direction === 'rtl' ? /\p{L}/u.test(value) : rightToLeft.test(value);
  return foreign ? `\u2068${value}\u2069` : value;
}

/** Styles that messages may name: `{size, number, percent}`, `{day, date, long}`. */
const formats = {
  number: { integer: { maximumFractionDigits: 0 }, percent: { style: 'percent' } },
  dateTime: {
    short: { dateStyle: 'short' },
    medium: { dateStyle: 'medium' },
    long: { dateStyle: 'long' },
  },
} as const;

/** Making an `Intl` formatter costs far more than using it. Options come from the catalogues only: few of them. */
function kept<O, F>(make: (locale: string, options?: O) => F) {
  const made = new Map<string, F>();
  return (locale: string, options?: O): F => {
    const name = locale + JSON.stringify(options ?? '');
    const found = made.get(name) ?? make(locale, options);
    made.set(name, found);
    return found;
  };
}

const formatters = {
  getNumberFormat: kept(
    (locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
  ),
  getDateTimeFormat: kept(
    (locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
  ),
  getPluralRules: kept((locale, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options)),
} as Parameters<typeof format>[3]['formatters'];
