import { useId, useState } from 'react';
import { fileName, maxTemplateLength } from '../../../downloader/media/file-names.ts';
import { useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { storedItems } from '../../../site/visitors/stored/stored-items.ts';
import { cookieText, storeCookie } from '../../../site/visitors/stored-cookies.ts';

const fields = ['author', 'date', 'text', 'id', 'n'] as const;

/** How the visitor wants files to be named; null for the usual names. */
export const fileTemplate = (): string | null => cookieText('file-names') || null;

const example = {
  ...{ author: 'ferry.captain', id: '7613955083491294650', text: 'At sea', createdAt: 1_772_755_200 },
  extension: 'mp4',
};

/** Chooses the names of files, for the whole site: the server reads the same cookie. */
export function Naming() {
  const t = useTranslate<'many-posts'>();
  const id = useId();
  const [template, setTemplate] = useState(fileTemplate);
  const change = (text: string) => {
    setTemplate(text || null);
    const { lifeS } = storedItems['file-names'];
    storeCookie('file-names', encodeURIComponent(text), text === '' ? 0 : lifeS);
  };
  return (
    <details className="many-naming">
      <summary>{t('names.title')}</summary>
      <div className="many-field">
        <label htmlFor={id}>{t('names.about')}</label>
        <input
          id={id}
          type="text"
          dir="ltr"
          maxLength={maxTemplateLength}
          value={template ?? '{author}-{id}'}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <p className="many-fields">
          {fields.map((field) => (
            <Button
              key={field}
              strength="plain"
              onClick={() => change(`${template ?? '{author}-{id}'} {${field}}`)}
            >{`{${field}}`}</Button>
          ))}
          <Button strength="quiet" onClick={() => change('')}>
            {t('names.reset')}
          </Button>
        </p>
        <p role="status">{t('names.example', { name: fileName(example, { template, n: 1 }) })}</p>
      </div>
    </details>
  );
}
