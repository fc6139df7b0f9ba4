import { z } from 'zod';

/** A partner's name as it is written in texts, in small letters, and in capitals. */
export interface PartnerName {
  readonly name: string;
  readonly lower: string;
  readonly upper: string;
}

/** The letters and digits of a name. */
const bare = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '');

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
  .transform(
    ({ name, lower, upper }): PartnerName => ({
      name,
      lower: lower ?? bare(name).toLowerCase(),
      upper: upper ?? bare(name).toUpperCase(),
    }),
  );

/** The field of the site configuration file that names the partners of pages for sound, by the pages' keys. */
export const partnerFields = { partners: z.record(z.string(), partner).default({}) };

/** By the key of a page for sound. */
export type Partners = Readonly<Record<string, PartnerName>>;

const placeholder = /\{(partner|Partner|PARTNER)\}/g;

/** Whether a text or an address has a partner's name to be put into it. */
export const namesPartner = (text: string): boolean => text.search(placeholder) >= 0;

/**
 * Inserts a partner's name into a text or an address: `{Partner}` as in texts, `{partner}` in lower case, `{PARTNER}`
 * in capitals.
 * @returns null when it needs a name and there is none
 */
export function withPartner(text: string, partner: PartnerName | undefined): string | null {
  if (!namesPartner(text)) return text;
  if (partner === undefined) return null;
  const forms = { Partner: partner.name, partner: partner.lower, PARTNER: partner.upper };
  return text.replace(placeholder, (_, form: keyof typeof forms) => forms[form]);
}
