import { useState } from 'react';
import { useOpenedDetails } from '../../../site/browser/opened-details.ts';
import { QrPicture } from '../../../site/pages/tool/qr/page-qr.tsx';
import type { QrCode } from '../../../site/pages/tool/qr/qr.ts';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import styles from './result-code.css?url';

const draw = async (text: string) => (await import('../../../site/pages/tool/qr/qr.ts')).drawQrCode(text);

/** The result's address as a code. It is short, and leads to the page in the phone's own language. */
function ResultCode({ result: { post } }: ResultPartProps) {
  const t = useTranslate();
  const [code, setCode] = useState<QrCode | null>(null);
  const draws = useOpenedDetails(async () => {
    if (code === null)
      setCode(await draw(`${location.origin}/${post.url.replace(/^https:\/\/(?:www\.)?/, '')}`));
  });
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <details className="result-code" {...draws}>
        <summary className="result-row">
          <Icon name="phone" />
          <span>{t('qr.title')}</span>
          <Icon name="chevron" />
        </summary>
        <div className="result-code-body">
          {code !== null && <QrPicture code={code} />}
          <p>{t('qr.text')}</p>
        </div>
      </details>
    </>
  );
}

export default { place: 'more', order: 900, Part: ResultCode } satisfies ResultPart;
