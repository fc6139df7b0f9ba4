import { useTranslate } from '../../../translation.tsx';
import { LinkButton } from '../../../ui/controls.tsx';

interface AnotherLinkProps {
  /** The page without a link, for a visitor without scripts. */
  href: string;
  onAnother(): void;
}

/** Leads back to the empty link box. */
export function AnotherLink({ href, onAnother }: AnotherLinkProps) {
  const t = useTranslate();
  return (
    <LinkButton
      strength="quiet"
      href={href}
      className="result-another"
      onClick={(event) => {
        event.preventDefault();
        onAnother();
      }}
    >
      {t('result.another')}
    </LinkButton>
  );
}
