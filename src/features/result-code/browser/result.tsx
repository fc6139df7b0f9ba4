import { Suspense } from 'react';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import { QrPicture } from '../../../site/pages/tool/qr/page-qr.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { ResultFold } from '../../../site/pages/tool/result/result-rows.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import styles from './result-code.css?url';

async function load() {
  const { drawQrCode } = await import('../../../site/pages/tool/qr/qr.ts');
  return ({ text }: { text: string }) => <QrPicture code={drawQrCode(text)} />;
}

const code = lazyPart('qr', load, null, true);

/** The result's address as a code. It is short, and leads to the page in the phone's own language. */
function ResultCode({ result: { post } }: ResultPartProps) {
  const t = useTranslate();
  const path = post.url.replace(/^https:\/\/(?:www\.)?/, '');
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <ResultFold className="result-code" icon="phone" title={t('qr.title')}>
        {(isWanted) => (
          <div className="result-code-body">
            <Suspense>{isWanted && <code.Part text={`${location.origin}/${path}`} />}</Suspense>
            <p>{t('qr.text')}</p>
          </div>
        )}
      </ResultFold>
    </>
  );
}

export default { place: 'more', order: 900, Part: ResultCode } satisfies ResultPart;
