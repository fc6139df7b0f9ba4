import type { Locale } from '../i18n/languages.ts';
import { platformLink } from './configuration/platforms.ts';

/** A field of a form that visitors write to the operator with. */
export interface FormField {
  readonly name: FieldName;
  readonly kind: 'line' | 'email' | 'text' | 'check';
  readonly required: boolean;
  /** Minimum number of characters, if any. */
  readonly least?: number;
  /** UTF-16 units, as `maxlength` counts them: 3,000 are 9 kB at most. */
  readonly most: number;
  /** The browser's autofill token (HTML, section 4.10.18.7). */
  readonly autoComplete?: string;
}

export type FieldName =
  | 'name'
  | 'email'
  | 'subject'
  | 'message'
  | 'on_behalf'
  | 'work'
  | 'links'
  | 'good_faith'
  | 'accurate'
  | 'signature';

export type FormName = keyof typeof forms;

const name: FormField = { name: 'name', kind: 'line', required: true, most: 100, autoComplete: 'name' };
const email: FormField = { name: 'email', kind: 'email', required: true, most: 254, autoComplete: 'email' };

/** The forms, each with its fields in order. */
export const forms = {
  contact: [
    name,
    email,
    { name: 'subject', kind: 'line', required: true, most: 200 },
    { name: 'message', kind: 'text', required: true, least: 20, most: 3000 },
  ],
  dmca: [
    name,
    email,
    { name: 'on_behalf', kind: 'line', required: false, most: 200, autoComplete: 'organization' },
    { name: 'work', kind: 'text', required: true, least: 20, most: 3000 },
    { name: 'links', kind: 'text', required: true, most: 3000 },
    { name: 'good_faith', kind: 'check', required: true, most: 10 },
    { name: 'accurate', kind: 'check', required: true, most: 10 },
    { name: 'signature', kind: 'line', required: true, most: 100 },
  ],
} as const satisfies Record<string, readonly FormField[]>;

/** A field that people do not see, and programs fill in. */
export const trapName = 'company_website';

/** A field's error: the end of a message's key in the `forms` catalogue, and the message's values. */
export type FieldFault =
  | { readonly key: 'required' | 'email' | 'links' }
  | { readonly key: 'short'; readonly least: number }
  | { readonly key: 'long'; readonly most: number; readonly count: number };

export type FieldFaults = Partial<Record<FieldName, FieldFault>>;

/** The entered values, by field. */
export type FieldValues = Readonly<Partial<Record<FieldName, string>>>;

/**
 * The format of `<input type=email>` (HTML, section 4.10.5.1.5), with a dot in the domain: nobody on the Internet has
 * an address like `name@host`.
 */
const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** Trims a value, and turns line breaks of a single-line field into spaces. */
function tidy(value: string, { kind }: FormField): string {
  const text = value.replaceAll('\r\n', '\n').replaceAll('\0', '').trim();
  return kind === 'text' ? text : text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function faultOf(value: string, { kind, name, required, least = 0, most }: FormField): FieldFault | null {
  if (value === '') return required ? { key: 'required' } : null;
  if (value.length > most) return { key: 'long', most, count: value.length };
  if (kind === 'email' && !emailPattern.test(value)) return { key: 'email' };
  if ([...value].length < least) return { key: 'short', least };
  // A rough check: a person reads which posts are meant.
  if (name === 'links' && !platformLink.test(value)) return { key: 'links' };
  return null;
}

/**
 * Checks a visitor's entries; the same in the browser and on the server.
 * @param given anything; a value that is no text counts as empty
 * @returns the values to send, and their errors
 */
export function checkForm(
  form: FormName,
  given: Readonly<Record<string, unknown>>,
): { values: FieldValues; faults: FieldFaults } {
  const values: Partial<Record<FieldName, string>> = {};
  const faults: FieldFaults = {};
  for (const field of forms[form]) {
    const written = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const value = tidy(typeof written === 'string' ? written : '', field);
    values[field.name] = value;
    const fault = faultOf(value, field);
    if (fault !== null) faults[field.name] = fault;
  }
  return { values, faults };
}

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
