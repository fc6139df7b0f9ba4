import { useActionData, useLoaderData } from 'react-router';
import { RichTextBody } from '../../articles/rich-text.tsx';
import type { FormOutcome } from '../../forms/message-outcome.ts';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { TranslationProvider } from '../../translation.tsx';
import type { loadFormPage } from './loader.ts';
import { MessageForm } from './message-form.tsx';

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
