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
