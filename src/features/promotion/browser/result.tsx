import { useDevice } from '../../../site/browser/device/device.ts';
import { useDocument } from '../../../site/document/document-context.tsx';
import type { ResultPart } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { useInstall } from './install-prompt.ts';

/** Offers to install the site, which then stands in a phone's share sheet; absent where the browser cannot. */
function InstallOffer() {
  const t = useTranslate<'cards'>();
  const { name } = useDocument();
  const isAndroid = useDevice() === 'android';
  const install = useInstall();
  if (install === null) return null;
  return (
    <>
      <p>{t(isAndroid ? 'cards.install.share' : 'cards.install.text')}</p>
      <Button strength="plain" onClick={install}>
        {t('cards.install.title', { name })}
      </Button>
    </>
  );
}

export default {
  place: 'second-save',
  order: 10,
  catalogue: 'cards',
  Part: InstallOffer,
} satisfies ResultPart;
