import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';
import { isHref, operatorText } from './items.ts';

const word = z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, 'must be one word of letters, digits, "-" and "_"');

const partner = z
  .strictObject({
    /** In the spelling of texts. */
    name: z.string().trim().min(1).max(40),
    /** In small letters, as addresses write it; made of the name when it is left out. */
    lower: word.optional(),
    /** In capitals, as tags write it; made of the name when it is left out. */
    upper: word.optional(),
  })
  .transform(({ name, lower, upper }) => {
    const bare = name.replace(/[^\p{L}\p{N}]/gu, '');
    return { Partner: name, partner: lower ?? bare.toLowerCase(), PARTNER: upper ?? bare.toUpperCase() };
  });

/** A partner's name as it is written in texts, in small letters, and in capitals: each by the word it stands for. */
export type PartnerName = Readonly<z.infer<typeof partner>>;

/** The field of the site configuration file that names the partners of pages for sound, by the pages' keys. */
export const partnerFields = { partners: z.record(z.string(), partner).default({}) };

const placeholder = /\{(partner|Partner|PARTNER)\}/g;

/** Whether a text of something has a partner's name to be put into it. */
export const needsPartner = (thing: object): boolean => JSON.stringify(thing).search(placeholder) >= 0;

/** Inserts a partner's name into all texts and addresses of something that is plain data. */
export function withPartner<T extends object>(thing: T, partner: PartnerName | undefined): T {
  if (partner === undefined) return thing;
  return JSON.parse(JSON.stringify(thing), (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(placeholder, (_name, form: keyof PartnerName) => partner[form])
      : value,
  );
}

/** An address of a partner's, with places for the page's language and the partner's name. */
const partnerUrl = z
  .string()
  .refine(
    (url) => isHref(url) && !url.startsWith('/'),
    'must be an https:// address; "{locale}", "{partner}" and "{PARTNER}" may stand in it',
  );

/** The partner's pages by language, `default` for the others. */
type PageUrls = Readonly<Partial<Record<Locale | 'default', string>>>;

const cell = z.strictObject({
  url: partnerUrl,
  /** Its requirements, in language-independent words: "Windows 10". */
  requires: z.string().trim().min(1).max(40).optional(),
});

/** The field of a downloader page that offers a program for computers in a dialog. */
export const programField = z.strictObject({
  /** Of the program. */
  name: z.string().trim().min(1).max(60).default('{Partner}'),
  /** Its maker: a partner, which makes it an advertisement, or this site. */
  type: z.enum(['ad', 'own']).default('ad'),
  /** Its purpose; the default is a sentence that is always true. */
  description: operatorText(200).default({}),
  /** One for each system. */
  cells: z.strictObject({ win: cell, mac: cell }),
  /** Says to the partner which page a visitor comes from; the page's key when it is left out. */
  source: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'must be letters, digits, "_", "." and "-"')
    .optional(),
  /** The query parameter that says it. */
  source_parameter: z
    .string()
    .regex(/^[A-Za-z]\w{0,39}$/, 'must be the name of a query parameter')
    .default('source'),
  /** The partner's page about it: one address, or one for each language, "default" being that of the others. */
  page_url: z
    .union([
      partnerUrl.transform((url): PageUrls => ({ default: url })),
      z.partialRecord(z.enum([...locales, 'default']), partnerUrl).transform((urls): PageUrls => urls),
    ])
    .default({}),
  /** Whether it opens by itself once a first download went well. */
  after_success: z.boolean().default(false),
});

/** A program for computers that a downloader page offers; "{locale}" may still stand in its addresses. */
export type Program = Readonly<z.infer<typeof programField>> & { readonly source: string };
