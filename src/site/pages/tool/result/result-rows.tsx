import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onPlainClick } from '../../../browser/plain-click.ts';
import { useTranslate } from '../../../translation.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';

interface ResultFoldProps {
  className: string;
  icon: IconName;
  title: ReactNode;
  /** Its content. @param isWanted whether it was opened: what is loaded later is loaded then */
  children(isWanted: boolean): ReactNode;
}

/** A row of the list below a result that opens. */
export function ResultFold({ className, icon, title, children }: ResultFoldProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isWanted, setWanted] = useState(false);
  const look = () => {
    if (details.current?.open) setWanted(true);
  };
  // A press before hydration has fired its toggle event already.
  useEffect(look, []);
  return (
    <details ref={details} className={className} onToggle={look}>
      <summary className="result-row">
        <Icon name={icon} />
        <span>{title}</span>
        <Icon name="chevron" />
      </summary>
      {children(isWanted)}
    </details>
  );
}

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
