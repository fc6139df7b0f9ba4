import { onPlainClick } from '../../../browser/plain-click.ts';
import { useTranslate } from '../../../translation.tsx';
import { Icon } from '../../../ui/icon.tsx';

interface AnotherLinkProps {
  /** The page without a link, for a visitor without scripts. */
  href: string;
  onAnother(): void;
}

/** Leads back to the empty link box. */
export function AnotherLink({ href, onAnother }: AnotherLinkProps) {
  const t = useTranslate();
  return (
    <a href={href} className="result-row result-another" onClick={onPlainClick(onAnother)}>
      <Icon name="link" />
      <span>{t('result.another')}</span>
    </a>
  );
}
