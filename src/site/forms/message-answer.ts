import type { Locale } from '../../i18n/languages.ts';
import type { FieldFaults, FieldValues } from './check.ts';
import type { FormName } from './fields.ts';

/** What became of a message: kept under a number, refused with what is wrong in it, or refused for now. */
export type MessageOutcome =
  | { readonly kind: 'sent'; readonly number: number }
  | { readonly kind: 'wrong'; readonly values: FieldValues; readonly faults: FieldFaults }
  | { readonly kind: 'failed'; readonly values: FieldValues; readonly reason: 'limit' | 'network' };

/** A form as somebody sent it, unchecked. */
export interface SentForm {
  readonly form: FormName;
  readonly locale: Locale;
  readonly given: Readonly<Record<string, unknown>>;
}
