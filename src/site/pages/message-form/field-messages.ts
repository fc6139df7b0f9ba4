import type { Translate } from '../../../i18n/translate.ts';
import type { FieldFault, FieldName, FormField } from '../../forms.ts';

const hinted = ['email', 'message', 'on_behalf', 'work', 'links', 'signature'] as const;

/** The hint below a field; null for none. */
export function hintText(t: Translate<'forms'>, name: FieldName): string | null {
  const one = hinted.find((known) => known === name);
  return one === undefined ? null : t(`${one}.hint`);
}

const required = ['name', 'email', 'subject', 'message', 'work', 'links', 'signature'] as const;

/** A field's error, in words. */
export function faultText(
  t: Translate<'forms'>,
  { kind, name }: Pick<FormField, 'kind' | 'name'>,
  fault: FieldFault,
): string {
  if (fault.key === 'short') return t('fault.short', { least: fault.least });
  if (fault.key === 'long') return t('fault.long', { most: fault.most, count: fault.count });
  if (fault.key !== 'required') return t(`fault.${fault.key}`);
  const missing = required.find((known) => known === name);
  return kind === 'check' || missing === undefined ? t('fault.check') : t(`fault.required.${missing}`);
}
