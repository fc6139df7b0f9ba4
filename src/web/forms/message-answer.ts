import type { Locale } from '../../i18n/languages.ts';
import type { FieldFaults, FieldValues } from './check.ts';
import type { FormName } from './fields.ts';

/**
 * Why a message was not kept: its writer has sent too many, the site has no place for it at the moment, or the site
 * could not be reached.
 */
type Refusal = 'limit' | 'unavailable' | 'network';

/** What became of a message: kept under a reference, refused with what is wrong in it, or refused for now. */
export type MessageOutcome =
  | { readonly kind: 'sent'; readonly reference: string }
  | { readonly kind: 'wrong'; readonly values: FieldValues; readonly faults: FieldFaults }
  | {
      readonly kind: 'failed';
      readonly values: FieldValues;
      readonly reason: Refusal;
      /** Seconds after which another try makes sense; nobody knows it of a site that could not be reached. */
      readonly retryAfterS?: number;
    };

const statuses = { sent: 200, wrong: 422, limit: 429, unavailable: 503, network: 503 } as const;

/** The HTTP status of the answer, whether a browser's script asked or the form itself. */
export const statusOf = (outcome: MessageOutcome) =>
  statuses[outcome.kind === 'failed' ? outcome.reason : outcome.kind];

/** What a page with a form says of what was sent: what became of it, or why it could not be read. */
export type FormAnswer = MessageOutcome | { readonly kind: 'refused'; readonly message: string };

/** A form as somebody sent it, unchecked. */
export interface SentForm {
  readonly form: FormName;
  readonly locale: Locale;
  readonly given: Readonly<Record<string, unknown>>;
}
