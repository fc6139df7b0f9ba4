import { platformLink } from '../configuration/platforms.ts';
import { type FieldName, type FormField, type FormName, forms } from './fields.ts';

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
