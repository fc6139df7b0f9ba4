import { useTranslate } from '../../../translation.tsx';
import type { QrCode } from './qr.ts';

/** A code as a picture. */
export function QrPicture({ code }: { code: QrCode }) {
  const t = useTranslate();
  return (
    <svg
      className="qr-code"
      viewBox={`0 -0.5 ${code.size} ${code.size}`}
      role="img"
      aria-label={t('qr.label')}
      shapeRendering="crispEdges"
    >
      <path d={code.path} />
    </svg>
  );
}

/** The page's address as a code, for the phone beside the desk. */
export function PageQr({ code }: { code: QrCode }) {
  const t = useTranslate();
  return (
    <section className="container qr" aria-labelledby="qr-title">
      <QrPicture code={code} />
      <div>
        <h2 id="qr-title">{t('qr.title')}</h2>
        <p>{t('qr.text')}</p>
      </div>
    </section>
  );
}
