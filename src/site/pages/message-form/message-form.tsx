import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import { RichTextBody } from '../../articles/rich-text.tsx';
import { useMounted } from '../../browser/mounted.ts';
import { onConsent } from '../../consent/current-consent.ts';
import {
  checkForm,
  type FieldFault,
  type FieldFaults,
  type FieldValues,
  type FormField,
  type FormName,
  type FormOutcome,
  forms,
  type SentForm,
  trapName,
} from '../../forms.ts';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { TranslationProvider, useLocale, useTranslate } from '../../translation.tsx';
import { Button } from '../../ui/controls.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { cookieText } from '../../visitors/stored-cookies.ts';
import { faultText, hintText } from './field-messages.ts';
import type { loadFormPage } from './loader.ts';

/** A document with a form beneath it that goes to the operator. */
export function FormPage() {
  const page = useLoaderData<Awaited<ReturnType<typeof loadFormPage>>>();
  const outcome = useActionData<FormOutcome>() ?? null;
  return (
    <TranslationProvider locale={page.locale} messages={page.messages}>
      <ProsePage page={page} className="form-page">
        <div className={page.variant ? 'form-page-stacked' : 'form-page-columns'}>
          <MessageForm form={page.form} action={page.action} given={outcome} />
          <RichTextBody nodes={page.nodes} lang={page.lang} />
        </div>
      </ProsePage>
    </TranslationProvider>
  );
}

/** The API's response to a message. */
type MessageResponse =
  | { readonly code: 200; readonly cscode: 200; readonly data: { readonly reference: string } }
  | { readonly code: number; readonly cscode: number; readonly error: { readonly key: string } };

/** Sends a form from the browser. @throws TypeError when the server is unreachable or its response unreadable */
async function sendForm({ form, locale, given }: SentForm, signal: AbortSignal): Promise<MessageResponse> {
  const response = await fetch(`/api/${form}?locale=${locale}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(given),
    signal,
  });
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('cscode' in body))
    throw new TypeError(`unreadable response with status ${response.status}`);
  return body as MessageResponse;
}

/** Fills in the visitor's last e-mail address, if they consented to storing it. @returns a function that stops it */
function fillInEmail(form: HTMLFormElement | null): () => void {
  return onConsent(({ statistics }) => {
    const field = form?.elements.namedItem('email');
    if (statistics && field instanceof HTMLInputElement && field.value === '')
      field.value = cookieText('email');
  });
}

/** Longer than a slow line needs; afterwards the visitor is better off trying again. */
const limitMs = 30_000;

interface MessageFormProps {
  form: FormName;
  /** The form's target without scripts: the page itself. */
  action: string;
  /** The outcome of a form that was sent without scripts; null for none. */
  given: FormOutcome | null;
}

/** For the visitor, any other response of the server is the same as an unreachable one. */
const reasons: Partial<Record<number, 'limit' | 'unavailable'>> = { 429: 'limit', 503: 'unavailable' };

/** A form to the operator. It is checked here and again by the server, and is a form like any other without scripts. */
function MessageForm({ form, action, given }: MessageFormProps) {
  const t = useTranslate<'forms'>();
  const mounted = useMounted();
  const { outcome, sending, submit } = useSending(form, given);
  const place = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLFormElement>(null);

  // The outcome must be announced to visitors who do not see the page; the first rendering is not.
  useEffect(() => {
    if (outcome === null) return;
    const wrong = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (outcome.kind === 'wrong' ? wrong : place.current)?.focus();
  }, [outcome]);

  useEffect(() => (form === 'contact' ? fillInEmail(element.current) : undefined), [form]);

  if (outcome?.kind === 'sent') return <Sent reference={outcome.reference} another={action} place={place} />;

  const faults: FieldFaults = outcome?.kind === 'wrong' ? outcome.faults : {};
  const values: FieldValues = outcome === null || outcome.kind === 'refused' ? {} : outcome.values;
  return (
    <form
      ref={element}
      className="card message-form"
      data-keep-clear=""
      method="post"
      action={action}
      noValidate={mounted}
      onSubmit={submit}
    >
      <p className="form-note">{t('required-note')}</p>
      {outcome !== null && <NotSent outcome={outcome} place={place} />}
      {forms[form].map((field) => (
        <Field key={field.name} field={field} value={values[field.name]} fault={faults[field.name]} />
      ))}
      <p className="form-trap" aria-hidden="true">
        <label>
          {t('trap.label')}
          <input name={trapName} type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <Button type="submit" strength="action" aria-busy={sending || undefined}>
        {sending ? t('sending') : t(`send.${form}`)}
      </Button>
    </form>
  );
}

/** Checks and sends a form, once at a time. */
function useSending(form: FormName, given: FormOutcome | null) {
  const locale = useLocale();
  const [outcome, setOutcome] = useState(given);
  const [sending, setSending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const filled = Object.fromEntries(new FormData(event.currentTarget));
    const { values, faults } = checkForm(form, filled);
    if (Object.keys(faults).length > 0) return setOutcome({ kind: 'wrong', values, faults });
    setSending(true);
    try {
      const response = await sendForm({ form, locale, given: filled }, AbortSignal.timeout(limitMs));
      if ('data' in response) setOutcome({ kind: 'sent', reference: response.data.reference });
      else setOutcome({ kind: 'failed', values, reason: reasons[response.code] ?? 'network' });
    } catch {
      // Whatever the cause, the visitor's next step is the same; the text stays in the form.
      setOutcome({ kind: 'failed', values, reason: 'network' });
    } finally {
      setSending(false);
    }
  };
  return { outcome, sending, submit };
}

interface SentProps {
  reference: string;
  /** The address of an empty form. */
  another: string;
  place: Ref<HTMLDivElement>;
}

/** Replaces a form whose message was stored. */
function Sent({ reference, another, place }: SentProps) {
  const t = useTranslate<'forms'>();
  return (
    <div className="card message-sent" ref={place} tabIndex={-1} role="status">
      <Notice kind="success">
        <h2>{t('sent')}</h2>
        <p>{t('sent.text', { number: reference })}</p>
      </Notice>
      <a href={another}>{t('another')}</a>
    </div>
  );
}

interface NotSentProps {
  outcome: Exclude<FormOutcome, { kind: 'sent' }>;
  place: Ref<HTMLDivElement>;
}

/** Why a form has not been sent. */
function NotSent({ outcome, place }: NotSentProps) {
  const t = useTranslate<'forms'>();
  return (
    <div className="form-error" ref={place} tabIndex={-1} role="alert">
      <Notice kind="error">
        {outcome.kind === 'wrong'
          ? t('faults.title', { count: Object.keys(outcome.faults).length })
          : outcome.kind === 'refused'
            ? outcome.message
            : t(`failed.${outcome.reason}`)}
      </Notice>
    </div>
  );
}

function Field(props: { field: FormField; value: string | undefined; fault: FieldFault | undefined }) {
  const { field, value, fault } = props;
  const t = useTranslate<'forms'>();
  const id = `field-${field.name}`;
  // An error is more useful than the hint, and replaces it at the field.
  const hint = fault === undefined ? hintText(t, field.name) : null;
  const described = [hint !== null && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean);
  const shared = {
    id,
    name: field.name,
    required: field.required,
    'aria-invalid': fault !== undefined || undefined,
    'aria-describedby': described.join(' ') || undefined,
  };
  // Native checks, for visitors without scripts. No `maxlength`: browsers would silently cut the text.
  const line = {
    ...shared,
    minLength: field.least,
    defaultValue: value,
    autoComplete: field.autoComplete ?? 'off',
    dir: field.kind === 'email' ? 'ltr' : 'auto',
  } as const;
  const label = (
    <label htmlFor={id}>
      {t(`${field.name}.label`)}
      {field.required && <span aria-hidden="true"> *</span>}
    </label>
  );
  const below = (
    <>
      {hint !== null && (
        <p className="form-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p className="form-fault" id={`${id}-fault`}>
          {faultText(t, field, fault)}
        </p>
      )}
    </>
  );
  if (field.kind === 'check')
    return (
      <div className="form-field form-check">
        <input type="checkbox" value="yes" defaultChecked={value === 'yes'} {...shared} />
        <div>
          {label}
          {below}
        </div>
      </div>
    );
  return (
    <div className="form-field">
      {label}
      {field.kind === 'text' ? (
        <textarea rows={6} {...line} />
      ) : (
        <input type={field.kind === 'email' ? 'email' : 'text'} {...line} />
      )}
      {below}
    </div>
  );
}
