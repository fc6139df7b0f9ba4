import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';
import { operatorText } from './operator-text.ts';
import { namesPartner, type PartnerName, withPartner } from './partners.ts';

/** Systems with a program of their own. */
export type System = 'win' | 'mac';

function canBeAddress(text: string): boolean {
  const filled = text.replace(/\{(?:locale|partner|PARTNER)\}/g, 'x');
  return /^https:\/\/[^{}]+$/.test(filled) && URL.canParse(filled);
}

/** An address of a partner's, with places for the page's language and the partner's name. */
const partnerUrl = z
  .string()
  .refine(
    canBeAddress,
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
export const productDialogField = z.strictObject({
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

/** The field in the file. */
export type ProductDialogField = z.infer<typeof productDialogField>;

/** A program for computers that a downloader page offers; "{locale}" may still stand in its addresses. */
export type ProductDialog = Readonly<ProductDialogField> & { readonly source: string };

/** Applies a function to a dialog's texts and addresses. */
function rewritten(dialog: ProductDialog, write: (text: string) => string): ProductDialog {
  const { name, description, cells, page_url } = dialog;
  const each = <T extends object>(texts: T) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, write(text as string)])) as T;
  return {
    ...dialog,
    name: write(name),
    description: each(description),
    cells: {
      win: { ...cells.win, url: write(cells.win.url) },
      mac: { ...cells.mac, url: write(cells.mac.url) },
    },
    page_url: each(page_url),
  };
}

/** Whether a dialog can be shown only where a partner has a name. */
export function needsPartner(dialog: ProductDialogField): boolean {
  let needs = false;
  rewritten({ ...dialog, source: '' }, (text) => {
    needs ||= namesPartner(text);
    return text;
  });
  return needs;
}

/**
 * A page's dialog as the site uses it.
 * @param pageKey the page's default name for the partner
 * @param partner the page's, which {@link needsPartner} asks for
 */
export function toProductDialog(
  field: ProductDialogField,
  pageKey: string,
  partner: PartnerName | undefined,
): ProductDialog {
  const dialog = { ...field, source: field.source ?? pageKey };
  return rewritten(dialog, (text) => withPartner(text, partner) ?? text);
}
