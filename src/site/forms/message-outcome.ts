import type { Locale } from '../../i18n/languages.ts';
import type { FieldFaults, FieldValues } from './check.ts';
import type { FormName } from './fields.ts';

/**
 * Why a message was not stored: the sender has sent too many, the site has no room at the moment, or the site is
 * unreachable.
 */
type Refusal = 'limit' | 'unavailable' | 'network';

/** The outcome of a message: kept under a reference, refused with its mistakes, or refused for now. */
export type MessageOutcome =
  | { readonly kind: 'sent'; readonly reference: string }
  | { readonly kind: 'wrong'; readonly values: FieldValues; readonly faults: FieldFaults }
  | {
      readonly kind: 'failed';
      readonly values: FieldValues;
      readonly reason: Refusal;
      /** Seconds after which a retry makes sense; unknown for an unreachable site. */
      readonly retryAfterS?: number;
    };

const statuses = { sent: 200, wrong: 422, limit: 429, unavailable: 503, network: 503 } as const;

/** The response's HTTP status, for scripts and for the form itself. */
export const statusOf = (outcome: MessageOutcome) =>
  statuses[outcome.kind === 'failed' ? outcome.reason : outcome.kind];

/** A form page's statement on a sent form: its outcome, or why it could not be read. */
export type FormOutcome = MessageOutcome | { readonly kind: 'refused'; readonly message: string };

/** A submitted form, unchecked. */
export interface SentForm {
  readonly form: FormName;
  readonly locale: Locale;
  readonly given: Readonly<Record<string, unknown>>;
}
