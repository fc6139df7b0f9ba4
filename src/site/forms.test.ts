import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkForm, forms } from './forms.ts';

const right = {
  name: 'Ada',
  email: 'ada@example.org',
  subject: 'Hello',
  message: 'Twenty characters or more.',
};

test('a correctly filled form has no faults; white space around values is ignored', () => {
  expect(checkForm('contact', { ...right, name: '  Ada\r\n ' })).toEqual({ values: right, faults: {} });
});

test.each([
  ['name', '', 'required'],
  ['name', 'x'.repeat(101), 'long'],
  ['email', 'ada', 'email'],
  ['email', 'ada@host', 'email'],
  ['email', 'ada@exa mple.org', 'email'],
  ['email', 'a@b.org,c@d.org', 'email'],
  ['subject', '\u2028', 'required'],
  ['message', 'Nineteen characters', 'short'],
  ['message', '😀'.repeat(19), 'short'],
  ['message', 'x'.repeat(3001), 'long'],
] as const)('%s %j is %s', (field, value, key) => {
  const { faults } = checkForm('contact', { ...right, [field]: value });
  expect(Object.keys(faults)).toEqual([field]);
  expect(faults[field]).toMatchObject({ key });
});

test('twenty characters as people see them are enough', () => {
  expect(checkForm('contact', { ...right, message: '😀'.repeat(20) }).faults).toEqual({});
});

test('limits every accepted value, and no single-line field contains a line end', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.anything());
  fc.assert(
    fc.property(
      fc.constantFrom('contact' as const, 'dmca' as const),
      fc.dictionary(
        fc.constantFrom('name', 'email', 'subject', 'message', 'links', 'work', '__proto__'),
        anything,
      ),
      (form, given) => {
        const { values, faults } = checkForm(form, given);
        for (const field of forms[form]) {
          const value = values[field.name] ?? '';
          if (field.kind !== 'text') expect(value).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          if (faults[field.name] === undefined) {
            expect(Buffer.byteLength(value)).toBeLessThan(10_000);
            if (field.required) expect(value).not.toBe('');
          }
        }
      },
    ),
  );
});
