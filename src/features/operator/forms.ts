import { Failure } from '../../failures/failures.ts';
import { asTyped } from '../../server/http/plain-text.ts';

/**
 * Reads a form as browsers send it: `application/x-www-form-urlencoded` or `multipart/form-data`. Its texts
 * hold no control characters besides tabs and line breaks.
 * @throws Failure `request_invalid`
 */
export async function readForm(body: unknown, contentType: string | undefined): Promise<FormData> {
  const headers = { 'content-type': contentType ?? '' };
  try {
    const sent = await new Response(body instanceof Buffer ? new Uint8Array(body) : '', {
      headers,
    }).formData();
    const form = new FormData();
    for (const [name, value] of sent) addText(form, name, typeof value === 'string' ? value : '');
    return form;
  } catch (cause) {
    throw new Failure('request_invalid', { cause, note: 'body is no form' });
  }
}

/** Adds a text to a form, as it can be typed. */
export const addText = (form: FormData, name: string, value: string): void =>
  form.append(asTyped(name), asTyped(value));

/** The text of a field; empty when there is none. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Fields of the desk itself, and one that no page shows again. */
const own = new Set(['token', 'action', 'password']);

/** The texts of a form, for the page that shows it again. */
export const sentTexts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].filter(
      (field): field is [string, string] => typeof field[1] === 'string' && !own.has(field[0]),
    ),
  );
