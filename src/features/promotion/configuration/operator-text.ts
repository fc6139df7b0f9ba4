import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';

/** What the operator says in some languages. */
export type OperatorText = Readonly<Partial<Record<Locale, string>>>;

/** A text of the operator's for each language: what has none in a page's language is not shown there. */
export const operatorText = (maxLength: number) =>
  z
    .partialRecord(z.enum(locales), z.string().trim().min(1).max(maxLength))
    .refine((texts) => Object.keys(texts).length > 0, 'has no text in any language');
