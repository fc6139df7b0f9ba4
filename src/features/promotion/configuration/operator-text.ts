import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';

/** The operator's text in some languages. */
export type OperatorText = Readonly<Partial<Record<Locale, string>>>;

/** An operator's text for each language: without one in a page's language the item is not shown there. */
export const operatorText = (maxLength: number) =>
  z
    .partialRecord(z.enum(locales), z.string().trim().min(1).max(maxLength))
    .refine((texts) => Object.keys(texts).length > 0, 'has no text in any language');
